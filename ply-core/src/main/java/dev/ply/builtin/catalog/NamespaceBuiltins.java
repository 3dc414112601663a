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
import dev.ply.target.KernelTypes;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/** PID namespaces, by the inodes of their files {@code /proc/PID/ns/pid}. */
public final class NamespaceBuiltins {
  /** The innermost PID namespace of the current thread. */
  public static final Builtin PIDNS =
      new Builtin(Signature.NONE, Effect.INVARIANT, "pidns") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return areKnown(typing, call.span(), canonicalName())
              ? Optional.of(IntType.U32)
              : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The inode of the innermost PID namespace that the thread has an ID in, as stat -L
              /proc/PID/ns/pid shows it. Requires BTF.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[pidns, comm] = count(); }
              """,
              "pidns");
        }
      };

  /** Whether the current thread has an ID in a PID namespace. */
  public static final Builtin IN_PIDNS =
      new Builtin(Signature.of(Parameter.NUMBER), Effect.INVARIANT, "in_pidns") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Optional<IntType> inode = typing.number(call, 0, "the inode of \"in_pidns\"");
          return inode.isPresent() && areKnown(typing, call.span(), canonicalName())
              ? Optional.of(IntType.TRUTH)
              : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "bool",
              """
              Whether the thread is in the PID namespace of an inode or in one nested in it: whether
              it has an ID there. Requires BTF.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[in_pidns(4026532201), comm] = count(); }
              """,
              "in_pidns(inode)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(PIDNS, IN_PIDNS);

  private NamespaceBuiltins() {}

  /** Returns whether the kernel's types say which IDs a thread has, or reports that they do not. */
  static boolean areKnown(Typing typing, SourceSpan span, String what) {
    KernelTypes types = typing.target().types();
    boolean areKnown = types.struct("pid").isPresent() && types.struct("upid").isPresent();
    if (!areKnown) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.NOT_OFFERED,
              span,
              "\"" + what + "\" requires the kernel's types",
              "it has none: it was built without CONFIG_DEBUG_INFO_BTF");
    }
    return areKnown;
  }
}
