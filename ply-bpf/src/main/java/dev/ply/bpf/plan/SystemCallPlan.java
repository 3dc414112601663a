package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.btf.VerifierTypes;
import dev.ply.builtin.ContextBuiltins;
import dev.ply.builtin.MemoryBuiltins;
import dev.ply.builtin.StackBuiltins;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.TracepointSelector;
import dev.ply.target.Architecture;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What the tracepoints of system calls have in common: behind each stands the one of all entries,
 * or of all exits, and their records hold the registers that these show.
 */
public final class SystemCallPlan {
  private static final String CATEGORY = "syscalls";

  /** Bytes from a record's start to the first argument, or the result. */
  public static final int FIRST_VALUE = 16;

  private static final int WORD = 8;
  private static final int MOST_ARGUMENTS = 6;

  /** What programs know anyway, or is the call's number. */
  private static final Set<String> KNOWN =
      Set.of("__syscall_nr", "nr", "common_type", "common_pid");

  private SystemCallPlan() {}

  /** The two ends of a system call. */
  public enum End {
    /** Before it. */
    ENTRY("sys_enter", 1 << 16),
    /** After it. */
    EXIT("sys_exit", 2 << 16);

    private final String event;
    private final int base;

    End(String event, int base) {
      this.event = event;
      this.base = base;
    }

    /** Returns the tracepoint of all calls. */
    public String event() {
      return event;
    }

    int base() {
      return base;
    }
  }

  /** Returns at which end of system calls a place is; empty if it is elsewhere. */
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

  /** Returns the number of the system call that a place is at; empty if that is unknown. */
  public static OptionalInt numberOf(AttachPoint point, AttachFeatures features) {
    Optional<End> end = endOf(point);
    return end.isPresent() ? features.systemCall(name(point, end.get())) : OptionalInt.empty();
  }

  private static String name(AttachPoint point, End end) {
    String definition = point.definition();
    String prefix = end.event + "_";
    return definition.substring(definition.lastIndexOf(prefix) + prefix.length());
  }

  /**
   * Returns the types of the probes of the tracepoint of all calls, where programs may load from
   * the registers that these are handed.
   */
  static Optional<TypedFunction> probe(End end, Target target) {
    return target.attachFeatures().loadsThread()
        ? VerifierTypes.of(target.types()).typedProbe(end.event())
        : Optional.empty();
  }

  /** Returns the function that implements the system call at whose entry a place is. */
  static Optional<KernelSelector.Function> functionAt(
      AttachPoint point, Architecture architecture) {
    return endOf(point)
        .filter(end -> end == End.ENTRY)
        .flatMap(end -> architecture.systemCallPrefix().map(prefix -> prefix + name(point, end)))
        .map(KernelSelector.Function::new);
  }

  /** Returns which word of the call a field shows: an argument, counted from 0, or the result. */
  public static int word(TracepointFormat.Field field) {
    return (field.offset() - FIRST_VALUE) / WORD;
  }

  /** Returns what is against showing the registers of user space instead of the record. */
  static Optional<String> reasonAgainst(
      Mechanism mechanism,
      AttachPoint point,
      ContextUse use,
      List<AnalyzedClause> clauses,
      Target target) {
    if (numberOf(point, target.attachFeatures()).isEmpty()) {
      return Optional.of("this is no system call whose number is known");
    }
    if (use.uses(StackBuiltins.STACK)) {
      return Optional.of("stacks would begin elsewhere");
    }
    if (use.whole() || use.uses(MemoryBuiltins.DYN) || use.uses(ContextBuiltins.CTX)) {
      return Optional.of("the record is used as a whole");
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
