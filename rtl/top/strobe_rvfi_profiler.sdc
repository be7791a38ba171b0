# SPDX-License-Identifier: Apache-2.0
# Timing constraints of strobe_rvfi_profiler, before layout: one clock; ports from and to flip-flops in its
# domain.
#
# A flow may set these (ns) before it reads the file: strobe_period; strobe_input_delay, the time that the
# core and the buses need in a cycle before the profiler's inputs; strobe_output_delay, the time that they
# need after its outputs; and strobe_uncertainty, the uncertainty of the clock.
if {![info exists strobe_period]} { set strobe_period 2.5 }
if {![info exists strobe_input_delay]} { set strobe_input_delay [expr {0.2 * $strobe_period}] }
if {![info exists strobe_output_delay]} { set strobe_output_delay [expr {0.2 * $strobe_period}] }
if {![info exists strobe_uncertainty]} { set strobe_uncertainty [expr {0.05 * $strobe_period}] }

create_clock -name clk_i -period $strobe_period [get_ports clk_i]
set_clock_uncertainty $strobe_uncertainty [get_clocks clk_i]

set_input_delay $strobe_input_delay -clock clk_i [get_ports {rvfi_* retire_* profile_en_i}]
set_input_delay $strobe_input_delay -clock clk_i [get_ports {s_axi_*_i m_axi_*_i}]
set_output_delay $strobe_output_delay -clock clk_i [all_outputs]

# Reset is asserted asynchronously for many cycles. It is released synchronously, outside this block, so its
# recovery time is that of the system's reset synchronizer and tree.
set_false_path -from [get_ports rst_ni]
