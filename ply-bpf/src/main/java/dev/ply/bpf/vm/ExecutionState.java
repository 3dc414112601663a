package dev.ply.bpf.vm;

/** What the programs of a machine run on, whichever engine executes them. */
record ExecutionState(
    MachineMemory memory, HelperRuntime helpers, CallStack calls, StepCounter counter) {}
