package dev.ply.bpf.vm.interpret;

import dev.ply.bpf.vm.helper.HelperRuntime;
import dev.ply.bpf.vm.memory.MachineMemory;

/** What the programs of a machine run on, whichever engine executes them. */
public record ExecutionState(
    MachineMemory memory, HelperRuntime helpers, CallStack calls, StepCounter counter) {}
