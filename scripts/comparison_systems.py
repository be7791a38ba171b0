"""What scripts/comparison compares: kinds of profile, systems, why a system has no profile of a kind, and the questions."""

KINDS = {"edges": "where branches go", "call pairs": "which function calls which", "methods": "which functions and loops are entered",
         "methods by time": "in which functions the cycles go", "values": "what loads return",
         "hot data streams": "which sequences of accesses repeat"}
# The metric of the paper that profiles a kind: its name, its key in result.json, and whether less of it is better.
METRICS = {"edges": ("invariance error", "accuracy.edges.invariance_error", True),
           "call pairs": ("overlap at 90 %", "accuracy.call_pairs.overlap_90", False),
           "methods": ("overlap at 90 %", "accuracy.methods.overlap_90", False),
           "methods by time": None,
           "values": ("invariance error", "accuracy.values.invariance_error", True),
           "hot data streams": ("exact overlap", "profile.hot_streams.subpaths.exact_overlap", False)}
NONE, OBJECTS = "nothing of the program", "the program's objects and link command"


def system(hardware, needs, taken, second=False, reference=False, gains=None):
    """A row of SYSTEMS.

    hardware   its named configurations; `engine` is the decode engine
    needs      in words
    taken      bytes of one message, event or sample that software takes; by kind where they differ
    second     whether it needs a core or a thread of its own
    reference  whether it is only there to compare with, and wins nothing
    gains      its profile's names in docs/pgo.json and in docs/reproductions/ephemeral.md
    """
    return {"hardware": hardware, "needs": needs, "taken": taken, "second": second, "reference": reference, "gains": gains or {}}


REGISTERS, RECORD = 24, 32  # the three registers of a message; a record of the ring
HANDLERS = {"call pairs": 16, "methods": 8, "hot data streams": 16}
SYSTEMS = {
    "exhaustive": system(["periodic-256"], "a message for each event: a reference, nothing that one would build", REGISTERS,
                         reference=True, gains={"pgo": "exhaustive", "optimize": "complete"}),
    "random": system(["random-256"], NONE, REGISTERS, gains={"pgo": "random-256", "optimize": "random"}),
    "periodic": system(["periodic-256"], NONE, REGISTERS, gains={"pgo": "periodic-256"}),
    "stratified, interrupt": system(["stratified-2048"], NONE, REGISTERS, gains={"pgo": "stratified-2048", "optimize": "stratified"}),
    "stratified, ring": system(["stratified-2048-ring"], "a second core that reads the ring", RECORD, second=True),
    "stratified, 8 banks": system(["stratified-2048-crc32c"], NONE, REGISTERS),
    "stratified in HPS bursts": system(["hps-gated-stratified", "engine"], NONE, REGISTERS,
                                       gains={"pgo": "hps-gated-stratified", "optimize": "HPS-gated"}),
    "HPS": system(["engine"], NONE, HANDLERS),
    "plain DISE": system(["engine"], NONE, HANDLERS),
    "branch-on-random": system(["engine"], NONE, HANDLERS),
    "bursty tracing": system([], OBJECTS, 16, gains={"pgo": "bursty", "optimize": "bursty"}),
    "ephemeral": system([], OBJECTS, 8, gains={"pgo": "ephemeral", "optimize": "ephemeral"}),
    "timer interrupt": system([], NONE, 8),
    "SHIM, a core of its own": system([], OBJECTS + ", and a second core", 28, second=True),
    "SHIM, a thread of the core": system([], OBJECTS + ", and a second thread", 28, second=True),
}
SAMPLER = "its profile is of tuples that instructions have, and {}"
# Why a system has no profile of a kind.
CANNOT = {
    "exhaustive": {"methods": SAMPLER.format("a selector of entries does not exist"), "methods by time": "it sees events and no cycles",
                   "hot data streams": "a sequence is no tuple"},
    "HPS": {"edges": "the shipped handlers collect calls, methods and references", "values": "a handler runs before the load returns",
            "methods by time": "it sees events and no cycles"},
    "bursty tracing": {"methods by time": "it sees events and no cycles"},
    "ephemeral": {kind: "it knows how often conditional branches are taken" for kind in KINDS if kind != "edges"},
    "timer interrupt": {kind: "it sees where the program is interrupted, and no events" for kind in KINDS if kind != "methods by time"},
    "SHIM, a core of its own": {kind: "it samples words of memory, and the program writes only its method there"
                                for kind in KINDS if kind != "methods by time"},
}
SAME = {"exhaustive": ("random", "periodic", "stratified, interrupt", "stratified, ring", "stratified, 8 banks", "stratified in HPS bursts"),
        "HPS": ("plain DISE", "branch-on-random"), "SHIM, a core of its own": ("SHIM, a thread of the core",)}
# Questions of a designer: (kind, budget, words).
QUESTIONS = [
    ("edges", {"ge": 10_000, "overhead": 0.01}, "I have 10 kGE and 1 % of the cycles: what should I build for edges?"),
    ("edges", {"ge": 100_000, "overhead": 0.1}, "I have 100 kGE and 10 % of the cycles: what should I build for edges?"),
    ("edges", {"ge": 0, "overhead": 0.5}, "I have no hardware and half as many cycles again: what should profile edges?"),
    ("call pairs", {"ge": 200_000, "overhead": 0.02}, "I have 200 kGE and 2 % of the cycles: what should I build for call pairs?"),
    ("call pairs", {"ge": 0, "overhead": 0.1}, "I have no hardware and 10 % of the cycles: what should profile call pairs?"),
    ("methods", {"overhead": 0.1}, "I have 10 % of the cycles: what should I build for methods?"),
    ("values", {"ge": 150_000, "overhead": 0.15}, "I have 150 kGE and 15 % of the cycles: what should I build for load values?"),
    ("hot data streams", {"overhead": 0.2}, "I have 20 % of the cycles: what should collect data streams?"),
    ("methods by time", {"ge": 0, "overhead": 0.05}, "I have neither hardware nor a second core, and 5 % of the cycles: where does the time go?"),
    ("methods by time", {"ge": 0, "second": True}, "I have a second core and no hardware: what says where the time goes?"),
]
# The columns of the table of winners: (budget, words).
PLACES = [({"second": True}, "whatever it costs"), ({"overhead": 0.01, "second": True}, "1 % of the cycles"),
          ({"overhead": 0.01}, "1 %, no second core"), ({"overhead": 0.05}, "5 %, no second core"),
          ({"ge": 60_000, "second": True}, "60 kGE"), ({"ge": 0, "second": True}, "no hardware")]


def reason(name, kind):
    """Why a system has no profile of a kind; None without a reason."""
    for first, others in SAME.items():
        if name in others:
            name = first
    return CANNOT.get(name, {}).get(kind)


def taken_bytes(name, kind):
    taken = SYSTEMS[name]["taken"]
    return taken[kind] if isinstance(taken, dict) else taken
