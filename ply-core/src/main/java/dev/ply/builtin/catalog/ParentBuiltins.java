package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeName;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/**
 * The parent of the current process, or of a task's, and its first thread: IDs and names, by
 * task_struct.
 */
public final class ParentBuiltins {
  private static final Signature OF_TASK = Signature.NONE.optional(Parameter.ADDRESS);

  /** The parent's process ID. */
  public static final Builtin PPID =
      new OfParent(IntType.U32.printedAs(IntFormat.PID), "tgid", "ppid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The ID of the parent process in ply's PID namespace; 0 if the parent is outside it.
              ppid(task) is the ID of another task's parent, in the initial PID namespace. Requires
              BTF.
              """,
              """
              tracepoint:sched:sched_process_exec { @[ppid, pcomm, comm] = count(); }
              """,
              "ppid",
              "ppid(task)");
        }
      };

  /** The name of the parent's thread. */
  public static final Builtin PCOMM =
      new OfParent(ArrayType.chars(16), "comm", "pcomm") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "string of at most 15 bytes",
              """
              The name of the thread that started the process, or of the one that started a task.
              Requires BTF.
              """,
              """
              tracepoint:sched:sched_process_exec { printf("%s started %s\\n", pcomm, comm); }
              """,
              "pcomm",
              "pcomm(task)");
        }
      };

  /** The thread ID of the process's first thread, which is the process ID. */
  public static final Builtin LEADER_TID =
      new Builtin.Macro(OF_TASK, Effect.INVARIANT, "leader_tid") {
        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          return Optional.of(
              call.arguments().isEmpty()
                  ? new Expr.Call(ThreadBuiltins.PID, List.of(), call.span())
                  : member(call, "group_leader", "pid"));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The ID of the thread group leader, the process's first thread: the same as pid.
              leader_tid(task) is in the initial PID namespace.
              """,
              """
              tracepoint:sched:sched_process_exit / tid == leader_tid / { @[comm] = count(); }
              """,
              "leader_tid",
              "leader_tid(task)");
        }
      };

  /** The name of the process's first thread. */
  public static final Builtin LEADER_COMM =
      new Builtin.Macro(OF_TASK, Effect.PURE, "leader_comm") {
        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          return Optional.of(member(call, "group_leader", "comm"));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string of at most 15 bytes",
              """
              The name of the thread group leader, the process's first thread, or of a task's.
              Requires BTF.
              """,
              """
              tracepoint:sched:sched_process_exit { @[leader_comm, comm] = count(); }
              """,
              "leader_comm",
              "leader_comm(task)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(PPID, PCOMM, LEADER_TID, LEADER_COMM);

  private ParentBuiltins() {}

  /** Returns a member of a task that a member of the call's task, or the current, points to. */
  private static Expr member(Expr.Call call, String pointer, String name) {
    SourceSpan span = call.span();
    Expr task =
        call.arguments().isEmpty()
            ? new Expr.Call(ThreadBuiltins.CURTASK, List.of(), span)
            : new Expr.Cast(new TypeName("struct task_struct", 1), call.arguments().get(0), span);
    return through(through(task, pointer, span), name, span);
  }

  private static Expr through(Expr pointer, String name, SourceSpan span) {
    return new Expr.Member(pointer, Expr.Member.Access.ARROW, name, span, span);
  }

  private abstract static class OfParent extends Builtin {
    private final Type type;
    private final String member;

    OfParent(Type type, String member, String name) {
      super(OF_TASK, Effect.PURE, name);
      this.type = type;
      this.member = member;
    }

    @Override
    public final Optional<Expr> expansion(Expr.Call call) {
      return call.arguments().isEmpty()
          ? Optional.empty()
          : Optional.of(member(call, "real_parent", member));
    }

    @Override
    public final Optional<Type> type(Expr.Call call, Typing typing) {
      if (typing.target().types().struct("task_struct").isEmpty()) {
        typing
            .diagnostics()
            .error(
                DiagnosticCode.NOT_OFFERED,
                call.span(),
                "\"" + canonicalName() + "\" requires the kernel's types",
                "it has none: it was built without CONFIG_DEBUG_INFO_BTF");
        return Optional.empty();
      }
      return Optional.of(type);
    }
  }
}
