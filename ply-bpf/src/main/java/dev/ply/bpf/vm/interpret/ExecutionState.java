package dev.ply.bpf.vm.interpret;

import dev.ply.bpf.vm.helper.HelperRuntime;
import dev.ply.bpf.vm.memory.MachineMemory;

/** The state of a machine in which programs run, with either engine. */
public record ExecutionState(
    MachineMemory memory, HelperRuntime helpers, CallStack calls, StepCounter counter) {}
