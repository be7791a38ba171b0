// Symbols and lines for the ELF tests; the tests know the line of twice().
extern "C" {
extern const int table[10];
const int table[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
}

namespace marks {
__attribute__((noinline)) int twice(int x) { return table[x] * 2; }
}  // namespace marks

asm(".globl bare_label\n.globl after_label\n"
    "bare_label: nop\nnop\nnop\nnop\nnop\nafter_label: nop\nret\n");

// Demangled, this name would be gigabytes long.
#define STROBE_BOMB                                                                  \
  "_Z1f1AIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_ES_IS3_S3_ES_IS4_S4_ES_IS5_S5_ES_IS6_S6_E" \
  "S_IS7_S7_ES_IS8_S8_ES_IS9_S9_ES_ISA_SA_ES_ISB_SB_ES_ISC_SC_ES_ISD_SD_ES_ISE_SE_E" \
  "S_ISF_SF_ES_ISG_SG_ES_ISH_SH_ES_ISI_SI_ES_ISJ_SJ_ES_ISK_SK_ES_ISL_SL_ES_ISM_SM_E" \
  "S_ISN_SN_ES_ISO_SO_ES_ISP_SP_ES_ISQ_SQ_ES_ISR_SR_ES_ISS_SS_ES_IST_ST_E"
asm(".globl " STROBE_BOMB "\n" STROBE_BOMB ": nop\n");

extern "C" void _start() {
  volatile int result = marks::twice(3);
  (void)result;
  for (;;) {
  }
}
