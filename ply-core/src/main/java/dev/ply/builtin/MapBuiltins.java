package dev.ply.builtin;

import com.google.common.collect.ImmutableList;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/** Functions of maps that read no value. */
public final class MapBuiltins {
  /** Returns whether a map has an entry under a key: 1 or 0. */
  public static final Builtin HAS_KEY =
      new Builtin(Signature.of(Parameter.ENTRY), Effect.PURE, "has_key") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr entry = call.arguments().get(0);
          if (entry instanceof Expr.MapRead read && !read.map().keys().isEmpty()) {
            typing.observeKeys(read);
            return typing.entry(read) ? Optional.of(IntType.TRUTH) : Optional.empty();
          }
          typing
              .diagnostics()
              .error(
                  DiagnosticCode.TYPE_MISMATCH,
                  call.span(),
                  "\"has_key\" looks up a key in a map",
                  "write has_key(@m, key); for a key of several parts, has_key(@m, (a, b))");
          return Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              1 if the map has an entry under the key, else 0, whatever the entry's value is. A key
              of several parts is written in parentheses.
              """,
              """
              tracepoint:sched:sched_process_exec { @start[tid] = nsecs; }
              tracepoint:sched:sched_process_exit / has_key(@start, tid) / {
                @ns = quantize(nsecs - @start[tid]);
                delete(@start, tid);
              }
              """,
              "has_key(map, key)",
              "has_key(map, (key, …))");
        }
      };

  /**
   * Removes an entry of a map, and returns whether there was one: 1 or 0. A keyword, as that of the
   * statement: not found by name.
   */
  public static final Builtin DELETE =
      new Builtin(Signature.of(Parameter.ENTRY), Effect.CHANGE, "delete") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr.MapRead read = (Expr.MapRead) call.arguments().get(0);
          typing.observeKeys(read);
          return typing.entry(read) ? Optional.of(IntType.TRUTH) : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation("int", "See the statement.", "", "delete(map, key)");
        }
      };

  /** Returns the number of a map's entries, each of which the kernel visits; or of frames. */
  public static final Builtin LEN =
      new Builtin(Signature.of(Parameter.MAP), Effect.PURE, "len") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr map = call.arguments().get(0);
          if (isStack(map)) {
            return typing.apply(map).map(unused -> IntType.S64);
          }
          if (!EventBuiltins.isBareMap(map)) {
            Optional<Type> type = typing.apply(map);
            if (type.isPresent()) {
              typing
                  .diagnostics()
                  .error(
                      DiagnosticCode.TYPE_MISMATCH,
                      map.span(),
                      "\"len\" counts the entries of a map or the frames of a stack, this is "
                          + type.get().withArticle(),
                      type.get().isText()
                          ? "the length of a string is strlen(…)"
                          : "write len(@m), len(kstack) or len(ustack)");
            }
            return Optional.empty();
          }
          return typing.iterates((Expr.MapRead) map) ? Optional.of(IntType.S64) : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
                  "s64",
                  """
                  The number of entries of a map with keys, which the kernel visits one by one; or the
                  number of frames of a stack, kstack or ustack with its arguments (before Linux 5.13,
                  too), 0 where there is none.
                  """,
                  """
                  tracepoint:raw_syscalls:sys_enter { @open[tid] = nsecs; }
                  interval:1s { printf("%d threads\\n", len(@open)); }
                  """,
                  "len(map)",
                  "len(stack)")
              .since(5, 13);
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(HAS_KEY, LEN);

  private MapBuiltins() {}

  /** Returns whether an argument of {@link #LEN} is a stack trace. */
  public static boolean isStack(Expr argument) {
    return argument instanceof Expr.Call call
        && (call.function() == StackBuiltins.STACK || call.function() == StackBuiltins.USTACK);
  }
}
