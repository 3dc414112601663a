package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.btf.VerifierTypes;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Syscall tracepoints, which are fed by sys_enter or sys_exit: their records contain the registers
 * that these pass on.
 */
public final class SystemCallPlan {
  private static final String CATEGORY = "syscalls";

  /** The offset in a record of the first argument, or the result. */
  public static final int FIRST_VALUE = 16;

  private static final int WORD = 8;
  private static final int MOST_ARGUMENTS = 6;

  /** Fields whose values are known otherwise. */
  private static final Set<String> KNOWN =
      Set.of("__syscall_nr", "nr", "common_type", "common_pid");

  /** Calls that end the thread. */
  private static final Set<String> ENDLESS = Set.of("exit", "exit_group");

  private SystemCallPlan() {}

  /** Entry and exit of a syscall. */
  public enum End {
    /** The entry. */
    ENTRY("sys_enter", 1 << 16),
    /** The exit. */
    EXIT("sys_exit", 2 << 16);

    private final String event;
    private final int base;

    End(String event, int base) {
      this.event = event;
      this.base = base;
    }

    /** Returns the raw tracepoint of all syscalls. */
    public String event() {
      return event;
    }

    int base() {
      return base;
    }
  }

  /** Returns whether a probe is at a syscall's entry or exit; empty for other probes. */
  public static Optional<End> endOf(AttachPoint point) {
    if (point instanceof AttachPoint.Tracepoint tracepoint
        && tracepoint.place() instanceof TracepointSelector.Event event
        && event.category().equals(CATEGORY)) {
      for (End end : End.values()) {
        if (event.event().startsWith(end.event + "_")) {
          return Optional.of(end);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the number of the probed syscall, if known. */
  public static OptionalInt numberOf(AttachPoint point, AttachFeatures features) {
    Optional<End> end = endOf(point);
    return end.isPresent() ? features.systemCall(name(point, end.get())) : OptionalInt.empty();
  }

  private static String name(AttachPoint point, End end) {
    String definition = point.definition();
    String prefix = end.event + "_";
    return definition.substring(definition.lastIndexOf(prefix) + prefix.length());
  }

  /** Returns the BTF types of sys_enter or sys_exit, where programs can load from the registers. */
  static Optional<TypedFunction> probe(End end, Target target) {
    return target.attachFeatures().loadsThread()
        ? VerifierTypes.of(target.types()).typedProbe(end.event())
        : Optional.empty();
  }

  /**
   * Returns whether a syscall's function returns. One that does not never leaves its trampoline,
   * which the kernel then cannot free.
   */
  static boolean returns(AttachPoint point) {
    return endOf(point).filter(end -> ENDLESS.contains(name(point, end))).isEmpty();
  }

  /** Returns the function that implements the syscall whose entry or exit is probed. */
  static Optional<KernelSelector.Function> functionAt(
      AttachPoint point, Architecture architecture) {
    return endOf(point)
        .flatMap(end -> architecture.systemCallPrefix().map(prefix -> prefix + name(point, end)))
        .map(KernelSelector.Function::new);
  }

  /** Returns the index of the argument that a field contains, counted from 0, or of the result. */
  public static int word(TracepointFormat.Field field) {
    return (field.offset() - FIRST_VALUE) / WORD;
  }

  /** Returns why the user registers cannot replace the record. */
  static Optional<String> reasonAgainst(
      Mechanism mechanism,
      AttachPoint point,
      ContextUse use,
      List<AnalyzedClause> clauses,
      Target target) {
    if (numberOf(point, target.attachFeatures()).isEmpty()) {
      return Optional.of("this is not a system call with a known number");
    }
    if (use.uses(StackBuiltins.STACK)) {
      return Optional.of("stacks would begin elsewhere");
    }
    if (use.whole() || use.uses(MemoryBuiltins.DYN) || use.uses(ContextBuiltins.CTX)) {
      return Optional.of("the whole record is used");
    }
    for (AnalyzedClause clause : clauses) {
      for (String field : use.fields()) {
        if (clause.tracepoint().isPresent() && !isKnown(clause.tracepoint().get(), field)) {
          return Optional.of("not all that is read of the record is an argument");
        }
      }
    }
    return target.attachFeatures().reasonAgainst(mechanism);
  }

  private static boolean isKnown(TracepointFormat format, String name) {
    return KNOWN.contains(name)
        || format
            .field(name)
            .filter(
                field ->
                    field.type().isScalar()
                        && field.type().size() <= WORD
                        && field.offset() >= FIRST_VALUE
                        && field.offset() % WORD == 0
                        && word(field) < MOST_ARGUMENTS)
            .isPresent();
  }
}
