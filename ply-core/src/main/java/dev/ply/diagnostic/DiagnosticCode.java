package dev.ply.diagnostic;

import java.util.Locale;

/** The kinds of faults, each with one bad and one good example. */
public enum DiagnosticCode {
  /**
   * The text is not a script: {@code BEGIN { print(1) print(2); }}; {@code BEGIN { print(1);
   * print(2); }}.
   */
  SYNTAX,
  /** No such provider: {@code krpobe:vfs_read { … }}; {@code kprobe:vfs_read { … }}. */
  UNKNOWN_PROVIDER,
  /** A provider's definition is off: {@code interval:1h { … }}; {@code interval:3600s { … }}. */
  BAD_PROBE_DEFINITION,
  /**
   * No such tracepoint: {@code tracepoint:sched:sched_swich}; {@code
   * tracepoint:sched:sched_switch}.
   */
  UNKNOWN_TRACEPOINT,
  /** No such function: {@code kprobe:vfs_raed}; {@code kprobe:vfs_read}. */
  UNKNOWN_FUNCTION,
  /**
   * No such program, library or process: {@code uprobe:/bin/bsah:readline}; {@code
   * uprobe:bash:readline}.
   */
  UNKNOWN_BINARY,
  /** No such built-in: {@code print(cmm)}; {@code print(comm)}. */
  UNKNOWN_NAME,
  /** No such field: {@code data->file}; {@code data->filename}. */
  UNKNOWN_FIELD,
  /**
   * A built-in this probe does not offer: {@code kprobe:f { print(retval); }}; {@code kretprobe:f {
   * print(retval); }}.
   */
  NOT_AVAILABLE_HERE,
  /** Too few or too many arguments: {@code pid(1)}; {@code pid}. */
  ARGUMENT_COUNT,
  /** An operand or argument of the wrong type: {@code pid == "x"}; {@code comm == "x"}. */
  TYPE_MISMATCH,
  /** A map used in two ways: {@code m[1] = 1; m["x"] = 2;}; {@code m[1] = 1; n["x"] = 2;}. */
  MAP_MISMATCH,
  /** A map that is read but never written: {@code print(m[1]);}; {@code m[1] = 5; print(m[1]);}. */
  UNTYPED_MAP,
  /** An aggregation in the wrong place: {@code print(count());}; {@code @ = count();}. */
  MISPLACED_AGGREGATION,
  /** A variable declared again where it is known: {@code let $x; let $x;}; {@code let $x;}. */
  DECLARED_TWICE,
  /** A jump out of no loop: {@code if (pid) { break; }}; {@code if (pid) { return; }}. */
  MISPLACED_JUMP,
  /**
   * A format and its arguments disagree: {@code printf("%d", comm)}; {@code printf("%s", comm)}.
   */
  BAD_FORMAT,
  /**
   * A probe this kernel does not offer: {@code kprobe:f} where kprobes are not built in; a
   * tracepoint.
   */
  NOT_OFFERED,
  /**
   * A probe for which this process lacks a capability: {@code uprobe:c:malloc} without
   * CAP_SYS_ADMIN; with it.
   */
  NOT_PERMITTED,
  /** A pattern that means too many places: {@code kprobe:*}; {@code kprobe:vfs_*}. */
  TOO_MANY_PLACES,
  /** A pattern some of whose places are left out: {@code kprobe:*lock*}. */
  SKIPPED_PLACES,
  /**
   * Addresses of the kernel that it does not show: {@code print(caller)} where {@code
   * kernel.kptr_restrict} is 2, which prints no names; where it is 0.
   */
  HIDDEN_ADDRESSES,
  /**
   * A clause with more ways through it than the kernel's verifier follows: a dozen string
   * comparisons whose results are computed with; the same in two clauses.
   */
  TOO_COMPLEX,
  /** A variable the environment lacks: {@code pid == $PDI}; {@code pid == $PID}. */
  UNSET_VARIABLE,
  /** A constant out of range: {@code str(arg0, 100000)}; {@code str(arg0, 128)}. */
  OUT_OF_RANGE;

  /** Returns the code as people see it: {@code unknown-field}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
