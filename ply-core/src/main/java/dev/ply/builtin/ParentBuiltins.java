package dev.ply.builtin;

import com.google.common.collect.ImmutableList;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/** The parent of the current process: PID and name, through task_struct. */
public final class ParentBuiltins {
  /** The parent's process ID. */
  public static final Builtin PPID =
      new OfParent(IntType.U32.printedAs(IntFormat.PID), "ppid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The ID of the parent process, as pid shows it: 0 if the parent is of another PID namespace.
              It takes the kernel's types (BTF).
              """,
              """
              tracepoint:sched:sched_process_exec { @[ppid, pcomm, comm] = count(); }
              """,
              "ppid");
        }
      };

  /** The name of the parent's thread. */
  public static final Builtin PCOMM =
      new OfParent(ArrayType.chars(16), "pcomm") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "string of at most 15 bytes",
              """
              The name of the thread that started the process, as comm shows it. It takes the
              kernel's types (BTF).
              """,
              """
              tracepoint:sched:sched_process_exec { printf("%s started %s\\n", pcomm, comm); }
              """,
              "pcomm");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(PPID, PCOMM);

  private ParentBuiltins() {}

  private abstract static class OfParent extends Builtin {
    private final Type type;

    OfParent(Type type, String name) {
      super(Signature.NONE, Effect.PURE, name);
      this.type = type;
    }

    @Override
    public final Optional<Type> type(Expr.Call call, Typing typing) {
      if (typing.target().types().struct("task_struct").isEmpty()) {
        typing
            .diagnostics()
            .error(
                DiagnosticCode.NOT_OFFERED,
                call.span(),
                "\"" + canonicalName() + "\" takes the types of the kernel",
                "it has none: it was built without CONFIG_DEBUG_INFO_BTF");
        return Optional.empty();
      }
      return Optional.of(type);
    }
  }
}
