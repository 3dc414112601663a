package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.ProbeSite;
import dev.ply.builtin.ContextBuiltins;
import dev.ply.builtin.StackBuiltins;
import dev.ply.builtin.ThreadBuiltins;
import dev.ply.target.KernelTypes;
import dev.ply.target.Mechanism;
import java.util.List;
import java.util.Optional;

/**
 * Clauses that run together, and how their program is attached.
 *
 * @param cookies the number that the program shall see at each of the places; empty if none
 * @param systemCalls the numbers of the system calls that the program is for, sorted; only for
 *     {@link Mechanism#RAW_SYSCALLS} and {@link Mechanism#FENTRY_SYSCALL}
 * @param function the types of the function, or of the probes of the tracepoint, that the kernel
 *     binds the program to when it is loaded; only for {@link Mechanism#FENTRY}, {@link
 *     Mechanism#FENTRY_SYSCALL} and, where programs may load registers, {@link
 *     Mechanism#RAW_SYSCALLS}
 * @param reason why this mechanism was chosen, a sentence without its end
 * @param next what to attach instead where the kernel refuses
 */
public record PlannedProgram(
    List<ProbeSite> sites,
    List<AnalyzedClause> clauses,
    Mechanism mechanism,
    ProbeNumber number,
    List<Integer> cookies,
    List<Integer> systemCalls,
    Optional<KernelTypes.Function> function,
    String reason,
    Optional<PlannedProgram> next) {
  public PlannedProgram {
    sites = List.copyOf(sites);
    clauses = List.copyOf(clauses);
    cookies = List.copyOf(cookies);
    systemCalls = List.copyOf(systemCalls);
  }

  /**
   * Tells whether the clauses see which instruction the program stands at: in the registers as a
   * whole, or in the functions that are being called.
   */
  public boolean seesInstruction() {
    ContextUse use = ContextUse.of(clauses);
    return use.readsRecord()
        || use.uses(ContextBuiltins.CALLER)
        || use.uses(ContextBuiltins.REGS)
        || use.uses(ContextBuiltins.CTX)
        || use.uses(StackBuiltins.USTACK);
  }

  /** Tells whether the clauses use what the running thread's structure has: numbers, its name. */
  public boolean asksThread() {
    ContextUse use = ContextUse.of(clauses);
    return use.uses(ThreadBuiltins.PID)
        || use.uses(ThreadBuiltins.KPID)
        || use.uses(ThreadBuiltins.COMM);
  }

  PlannedProgram withNext(Optional<PlannedProgram> instead) {
    return new PlannedProgram(
        sites, clauses, mechanism, number, cookies, systemCalls, function, reason, instead);
  }
}
