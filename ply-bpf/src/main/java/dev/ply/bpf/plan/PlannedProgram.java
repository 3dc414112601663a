package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.target.Mechanism;
import java.util.List;
import java.util.Optional;

/**
 * Clauses that become one program, and how it is attached.
 *
 * @param specs at least one, all of one variant; one for each site, or one for all
 * @param number where the program finds the number of its site
 * @param next the alternative for a refusal by the kernel
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

  /** Returns the mechanism. */
  public Mechanism mechanism() {
    return firstSite().mechanism();
  }

  /** Returns why this mechanism, a sentence without full stop. */
  public String reason() {
    return firstSite().reason();
  }

  private AttachSite firstSite() {
    return specs.get(0).sites().get(0);
  }

  /** Returns whether the clauses use fields of task_struct: IDs, the name. */
  public boolean asksThread() {
    ContextUse use = ContextUse.of(clauses);
    return use.uses(ThreadBuiltins.PID)
        || use.uses(ThreadBuiltins.KPID)
        || use.uses(ThreadBuiltins.COMM);
  }

  /** Returns whether the clauses use the thread's name. */
  public boolean asksName() {
    return ContextUse.of(clauses).uses(ThreadBuiltins.COMM);
  }
}
