package dev.ply.diagnostic;

import java.util.Locale;

/** The kinds of diagnostics, each with a wrong and a correct example. */
public enum DiagnosticCode {
  /**
   * A syntax error: {@code BEGIN { print(1) print(2); }}; {@code BEGIN { print(1); print(2); }}.
   */
  SYNTAX,
  /** Unknown provider: {@code krpobe:vfs_read { … }}; {@code kprobe:vfs_read { … }}. */
  UNKNOWN_PROVIDER,
  /** Invalid probe definition: {@code interval:1h { … }}; {@code interval:3600s { … }}. */
  BAD_PROBE_DEFINITION,
  /**
   * No such tracepoint: {@code tracepoint:sched:sched_swich}; {@code
   * tracepoint:sched:sched_switch}.
   */
  UNKNOWN_TRACEPOINT,
  /** Unknown function: {@code kprobe:vfs_raed}; {@code kprobe:vfs_read}. */
  UNKNOWN_FUNCTION,
  /**
   * No such program, library or process: {@code uprobe:/bin/bsah:readline}; {@code
   * uprobe:bash:readline}.
   */
  UNKNOWN_BINARY,
  /** Unknown name: {@code print(cmm)}; {@code print(comm)}. */
  UNKNOWN_NAME,
  /** Unknown field: {@code data->file}; {@code data->filename}. */
  UNKNOWN_FIELD,
  /**
   * A built-in that this kind of probe lacks: {@code kprobe:f { print(retval); }}; {@code
   * kretprobe:f { print(retval); }}.
   */
  NOT_AVAILABLE_HERE,
  /** Too few or too many arguments: {@code cpu(1)}; {@code cpu}. */
  ARGUMENT_COUNT,
  /** An operand or argument of the wrong type: {@code pid == "x"}; {@code comm == "x"}. */
  TYPE_MISMATCH,
  /** Inconsistent uses of a map: {@code m[1] = 1; m["x"] = 2;}; {@code m[1] = 1; n["x"] = 2;}. */
  MAP_MISMATCH,
  /**
   * A map that is read but never assigned: {@code print(m[1]);}; {@code m[1] = 5; print(m[1]);}.
   */
  UNTYPED_MAP,
  /**
   * A map or variable whose type comes from itself only: {@code @a = @b; @b = @a;}; {@code @a = 1;
   * @b = @a;}. It is reported if there are no other errors, which it mostly follows from.
   */
  CIRCULAR_TYPE,
  /** A misplaced aggregation: {@code print(count());}; {@code @ = count();}. */
  MISPLACED_AGGREGATION,
  /** A variable declared twice in a scope: {@code let $x; let $x;}; {@code let $x;}. */
  DECLARED_TWICE,
  /** A jump outside of a loop: {@code if (pid) { break; }}; {@code if (pid) { return; }}. */
  MISPLACED_JUMP,
  /**
   * A format that does not match its arguments: {@code printf("%d", comm)}; {@code printf("%s",
   * comm)}.
   */
  BAD_FORMAT,
  /**
   * A probe that this kernel lacks: {@code kprobe:f} where kprobes are not built in; a tracepoint.
   */
  NOT_OFFERED,
  /**
   * A probe that requires a capability this process lacks: {@code uprobe:c:malloc} without
   * CAP_SYS_ADMIN; with it.
   */
  NOT_PERMITTED,
  /** A function that changes the system, which was not allowed: {@code signal("KILL")}. */
  UNSAFE,
  /** Errors that the script itself raises: {@code fail("…")}; {@code errorf("…")}. */
  FAILED,
  /** Something that failed while tracing: {@code cat("/nonexistent")}, {@code errorf("…")}. */
  REPORTED,
  /** A pattern that selects too many probe sites: {@code kprobe:*}; {@code kprobe:vfs_*}. */
  TOO_MANY_PLACES,
  /** A pattern some of whose probe sites are skipped: {@code kprobe:*lock*}. */
  SKIPPED_PLACES,
  /** A function that the kernel has no longer, replaced: {@code kprobe:SyS_read}. */
  REPLACED_FUNCTION,
  /**
   * Addresses of the kernel that it does not show: {@code print(caller)} where {@code
   * kernel.kptr_restrict} is 2, which prints no names; where it is 0.
   */
  HIDDEN_ADDRESSES,
  /**
   * A clause with too many paths for the kernel's verifier: a dozen string comparisons whose
   * results are operands; the same in two clauses.
   */
  TOO_COMPLEX,
  /**
   * A probe that this process may not look up: {@code tracepoint:sched:sched_switch} without access
   * to tracefs; with it.
   */
  UNREADABLE,
  /**
   * An environment variable or a parameter of a probe that is not given: {@code pid == $PDI},
   * {@code kprobe:$1}; {@code pid == $PID}.
   */
  UNSET_VARIABLE,
  /**
   * A PID that another process may be meant by: {@code pid == $target} with {@code -c 'a; b'}, a
   * shell's; with {@code -c a}.
   */
  OTHER_PROCESS,
  /** A setting of bpftrace without effect here: {@code config = { log_size = 1 }}. */
  NO_EFFECT,
  /** A constant out of range: {@code str(arg0, 100000)}; {@code str(arg0, 128)}. */
  OUT_OF_RANGE;

  /** Returns the code as messages show it: {@code unknown-field}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
