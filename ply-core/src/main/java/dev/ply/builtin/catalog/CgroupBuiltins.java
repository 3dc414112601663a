package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.target.Cgroups;
import dev.ply.type.BytePattern;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Cgroups: IDs and paths. */
public final class CgroupBuiltins {
  /** The ID of the current thread's cgroup in the hierarchy of cgroup v2. */
  public static final Builtin CGROUP =
      new Builtin.Value(IntType.U64, Effect.INVARIANT, "cgroup") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              The ID of the thread's cgroup, in the hierarchy of cgroup v2.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[cgroup] = count(); }
              """,
              "cgroup");
        }
      };

  /** The ID of the cgroup whose directory is given. */
  public static final Builtin CGROUPID =
      new Builtin(Signature.of(Parameter.CGROUP), Effect.PURE, "cgroupid") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr argument = call.arguments().get(0);
          return typing.apply(argument).flatMap(type -> cgroup(this, argument, typing));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              The ID of the cgroup of a directory in cgroupfs, when the script is compiled. The path
              is an absolute literal. A directory of cgroup v1 has an ID too, which no thread has as
              its cgroup.
              """,
              """
              tracepoint:raw_syscalls:sys_enter / cgroup == cgroupid("/sys/fs/cgroup/system.slice") / { @[comm] = count(); }
              """,
              "cgroupid(\"path\")");
        }
      };

  /** A cgroup's ID, printed as its path. */
  public static final Builtin CGROUP_PATH =
      new Builtin(
          Signature.of(Parameter.NUMBER).optional(Parameter.LITERAL), Effect.PURE, "cgroup_path") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Optional<IntType> id = typing.number(call, 0, "the ID of \"cgroup_path\"");
          boolean isUnified = call.arguments().size() < 2 || isUnified(call, typing);
          return id.filter(unused -> isUnified)
              .map(unused -> IntType.U64.printedAs(IntFormat.CGROUP));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64, printed as a path",
              """
              The same ID, printed as the path of the cgroup below the root of cgroup v2 as ply sees
              it; a number if it is gone or not visible. A pattern of hierarchies must match
              "unified", the name of cgroup v2.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[cgroup_path(cgroup)] = count(); }
              """,
              "cgroup_path(id)",
              "cgroup_path(id, \"pattern\")");
        }
      };

  /** Whether the current thread is in a cgroup or in one below it. */
  public static final Builtin IN_CGROUP =
      new Builtin(Signature.of(Parameter.CGROUP), Effect.INVARIANT, "in_cgroup") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr argument = call.arguments().get(0);
          return typing
              .apply(argument)
              .flatMap(type -> cgroup(this, argument, typing))
              .map(type -> IntType.TRUTH);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "bool",
              """
              Whether the thread is in the cgroup of a directory or in one below it, whenever that
              is made: the kernel compares the ancestor of the thread's cgroup. The path is an
              absolute literal.
              """,
              """
              tracepoint:raw_syscalls:sys_enter / in_cgroup("/sys/fs/cgroup/system.slice") / { @[comm] = count(); }
              """,
              "in_cgroup(\"path\")");
        }
      };

  /** The container of the current thread's cgroup. */
  public static final Builtin CONTAINER =
      new Builtin(Signature.NONE, Effect.INVARIANT, "container") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return Optional.of(new Type.EncodedString(new Encoding.Container()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The container that the path of the thread's cgroup tells, looked up when it is
              printed: 12 digits of the ID of docker, podman, containerd and CRI-O, the name of
              systemd-nspawn and LXC, - outside containers. The number of a cgroup that is gone by
              then. A container that makes cgroups of its own is a key for each.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[container] = count(); }
              """,
              "container");
        }
      };

  /** The pod of the current thread's cgroup. */
  public static final Builtin POD =
      new Builtin(Signature.NONE, Effect.INVARIANT, "pod") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return Optional.of(new Type.EncodedString(new Encoding.Pod()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The UID of the Kubernetes pod that the path of the thread's cgroup tells, looked up as
              container is, or 12 digits of the ID of a pod of podman; - outside pods.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[pod, container] = count(); }
              """,
              "pod");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(CGROUP, CGROUPID, CGROUP_PATH, IN_CGROUP, CONTAINER, POD);

  /** bpftrace's name of the cgroup v2 hierarchy. */
  private static final String UNIFIED = "unified";

  private CgroupBuiltins() {}

  /** Returns whether a pattern selects the hierarchy of cgroup v2, or reports that it does not. */
  private static boolean isUnified(Expr.Call call, Typing typing) {
    Expr argument = call.arguments().get(1);
    if (typing.apply(argument).isEmpty()) {
      return false;
    }
    boolean isUnified =
        argument instanceof Expr.StringLiteral pattern
            && BytePattern.of(pattern.value())
                .matches(UNIFIED.getBytes(StandardCharsets.ISO_8859_1));
    if (!isUnified) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.TYPE_MISMATCH,
              argument.span(),
              "\"cgroup_path\" looks up IDs only in the hierarchy of cgroup v2, \"unified\"",
              "the IDs of threads, cgroup, are from this hierarchy: write cgroup_path(id)");
    }
    return isUnified;
  }

  private static Optional<Type> cgroup(Builtin function, Expr argument, Typing typing) {
    if (!(argument instanceof Expr.StringLiteral directory)) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.TYPE_MISMATCH,
              argument.span(),
              "\"" + function + "\" takes the path of a cgroup as a string",
              "write " + function + "(\"/sys/fs/cgroup/system.slice\")");
      return Optional.empty();
    }
    Cgroups cgroups = typing.target().cgroups();
    Optional<Cgroups.Cgroup> found = cgroups.at(directory.value());
    if (found.isEmpty()) {
      List<String> others = cgroups.near(directory.value());
      typing
          .diagnostics()
          .error(
              DiagnosticCode.UNKNOWN_NAME,
              argument.span(),
              "cgroup \"" + directory.value() + "\" not found",
              Suggestions.hint(
                  directory.value(),
                  others.stream(),
                  others.isEmpty()
                      ? "a cgroup is a directory below /sys/fs/cgroup, as \"mount -t cgroup2\""
                          + " shows"
                      : "there is " + others.get(0)));
      return Optional.empty();
    }
    if (!found.get().isUnified() && function == IN_CGROUP) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.TYPE_MISMATCH,
              argument.span(),
              "\""
                  + directory.value()
                  + "\" is of cgroup v1, in which no program can look up threads",
              "give a cgroup of cgroup v2, which \"mount -t cgroup2\" shows, or select a PID"
                  + " namespace with in_pidns(inode)");
      return Optional.empty();
    }
    if (!found.get().isUnified()) {
      typing
          .diagnostics()
          .warning(
              DiagnosticCode.UNKNOWN_NAME,
              argument.span(),
              "\"" + directory.value() + "\" is of cgroup v1, and \"cgroup\" is never equal to it",
              "\"cgroup\" is the ID in cgroup v2: \"mount -t cgroup2\" shows where that is"
                  + " mounted");
    }
    return Optional.of(IntType.U64);
  }
}
