package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.builtin.ThreadBuiltins;
import dev.ply.target.Mechanism;
import java.util.List;
import java.util.Optional;

/**
 * Clauses that make one program, and how it is attached.
 *
 * @param specs at least one, all of one variant; one for each site, or one for all
 * @param context what the kernel hands to the program then
 * @param number where the program finds the number of its site
 * @param next what to attach instead where the kernel refuses
 */
public record PlannedProgram(
    List<AnalyzedClause> clauses,
    List<AttachSpec> specs,
    ProgramContext context,
    ProbeNumber number,
    Optional<PlannedProgram> next) {
  public PlannedProgram {
    clauses = List.copyOf(clauses);
    specs = List.copyOf(specs);
  }

  /** Returns the mechanism by which it is attached. */
  public Mechanism mechanism() {
    return firstSite().mechanism();
  }

  /** Returns why it is attached so, a sentence without its end. */
  public String reason() {
    return firstSite().reason();
  }

  private AttachSite firstSite() {
    return specs.get(0).sites().get(0);
  }

  /** Returns whether the clauses use what the running thread's structure has: IDs, its name. */
  public boolean asksThread() {
    ContextUse use = ContextUse.of(clauses);
    return use.uses(ThreadBuiltins.PID)
        || use.uses(ThreadBuiltins.KPID)
        || use.uses(ThreadBuiltins.COMM);
  }
}
