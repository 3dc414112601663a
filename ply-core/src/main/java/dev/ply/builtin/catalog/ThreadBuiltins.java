package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.target.PidScope;
import dev.ply.type.AddressSpace;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.Optional;

/** The current thread: IDs, name, CPU. */
public final class ThreadBuiltins {
  /**
   * The process ID: {@code pid}, {@code pid(init)}, {@code pid(container)}, {@code pid(curr_ns)}.
   */
  public static final Builtin PID =
      new Id("pid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The process ID in the PID namespace that ply runs in, as ps shows it there; 0 for
              processes outside it. pid(init) is the ID in the initial PID namespace, as in the
              records of tracepoints; pid(container) that in the innermost namespace, as the process's
              own container sees it, which requires BTF; pid(curr_ns) is the same as pid.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[pid] = count(); }
              """,
              "pid",
              "pid(scope)");
        }
      };

  /** The thread ID, with the scopes of {@link #PID}. */
  public static final Builtin KPID =
      new Id("kpid", "tid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The thread ID, which the kernel calls pid, in the PID namespace that ply runs in. The
              scopes are those of pid.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[pid, kpid] = count(); }
              """,
              "kpid",
              "kpid(scope)");
        }
      };

  /** The thread's name. */
  public static final Builtin COMM =
      new Builtin.Value(ArrayType.chars(16), Effect.INVARIANT, "comm", "execname") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "string of at most 15 bytes",
              """
              The name of the thread; for a program started from a shell, the start of its file
              name. A literal that is longer never matches, and is warned of.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }
              """,
              "comm");
        }
      };

  /** The name of another thread. */
  public static final Builtin COMM_OF =
      new Builtin(Signature.of(Parameter.NUMBER), Effect.PURE, "comm_of") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing
              .number(call, 0, "the process or thread ID")
              .map(unused -> new Type.EncodedString(new Encoding.ThreadName()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The name of a process or thread by its ID; the ID if it has ended. It is looked up
              when it is printed.
              """,
              """
              tracepoint:sched:sched_process_exit { printf("%s of %s\\n", comm, comm_of(ppid)); }
              """,
              "comm_of(pid)",
              "comm(pid)");
        }
      };

  /** The user ID. */
  public static final Builtin UID =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.UID), Effect.INVARIANT, "uid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The real user ID, in the initial user namespace.
              """,
              """
              tracepoint:sched:sched_process_exec { @[uid] = count(); }
              """,
              "uid");
        }
      };

  /** The name of the user. */
  public static final Builtin USERNAME =
      new Builtin(Signature.NONE, Effect.INVARIANT, "username") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return Optional.of(new Type.EncodedString(new Encoding.UserName()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The name of the real user in /etc/passwd, looked up when it is printed; the number if
              it has none.
              """,
              """
              tracepoint:sched:sched_process_exec { @[username, comm] = count(); }
              """,
              "username");
        }
      };

  /** The group ID. */
  public static final Builtin GID =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.UID), Effect.INVARIANT, "gid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The real group ID, in the initial user namespace.
              """,
              """
              tracepoint:sched:sched_process_exec { @[gid] = count(); }
              """,
              "gid");
        }
      };

  /** The current CPU number. */
  public static final Builtin CPU =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.CPU), Effect.INVARIANT, "cpu") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The number of the current CPU, from 0.
              """,
              """
              tracepoint:sched:sched_switch { @[cpu] = count(); }
              """,
              "cpu");
        }
      };

  /** The current thread's {@code struct task_struct}. */
  public static final Builtin CURTASK =
      new Builtin(Signature.NONE, Effect.INVARIANT, "curtask") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Type task =
              typing
                  .target()
                  .types()
                  .struct("task_struct")
                  .<Type>map(struct -> struct)
                  .orElseGet(VoidType::new);
          return Optional.of(new PointerType(task, AddressSpace.KERNEL));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "pointer to struct task_struct",
              """
              The kernel's structure of the running thread. Its members can be read where the kernel
              has BTF.
              """,
              """
              tracepoint:sched:sched_process_exec { @[curtask->real_parent->comm] = count(); }
              """,
              "curtask",
              "curtask->member");
        }
      };

  /** A random number. */
  public static final Builtin RAND =
      new Builtin.Value(IntType.U32, Effect.PURE, "rand") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              A pseudo-random number of 32 bits, drawn at each use.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[rand % 10] = count(); }
              """,
              "rand");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(PID, KPID, COMM, COMM_OF, UID, USERNAME, GID, CPU, CURTASK, RAND);

  private ThreadBuiltins() {}

  /** Returns the PID namespace of a checked call of {@link #PID} or {@link #KPID}. */
  public static PidScope scope(Expr.Call call) {
    return call.arguments().stream()
        .flatMap(scope -> PidScope.named(((Expr.StringLiteral) scope).value()).stream())
        .findFirst()
        .orElse(PidScope.CURR_NS);
  }

  /** An ID of the current thread. */
  private abstract static class Id extends Builtin {
    private static final Type TYPE = IntType.U32.printedAs(IntFormat.PID);

    Id(String... names) {
      super(Signature.NONE.optional(Parameter.PID_SCOPE), Effect.INVARIANT, names);
    }

    @Override
    public final Optional<Type> type(Expr.Call call, Typing typing) {
      call.arguments().forEach(typing::apply);
      for (Expr scope : call.arguments()) {
        if (!(scope instanceof Expr.StringLiteral name) || PidScope.named(name.value()).isEmpty()) {
          typing
              .diagnostics()
              .error(
                  DiagnosticCode.TYPE_MISMATCH,
                  scope.span(),
                  "unknown PID namespace",
                  "write "
                      + canonicalName()
                      + "(init), "
                      + canonicalName()
                      + "(container) or "
                      + canonicalName()
                      + "(curr_ns)");
          return Optional.empty();
        }
      }
      if (scope(call) == PidScope.CONTAINER
          && !NamespaceBuiltins.areKnown(
              typing, call.span(), canonicalName() + "(" + scope(call).canonicalName() + ")")) {
        return Optional.empty();
      }
      return Optional.of(TYPE);
    }
  }
}
