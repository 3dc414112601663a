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
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
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
              1 if the map has an entry for the key, else 0, whatever its value. A key of several
              parts is in parentheses.
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
                      "\"len\" counts the entries of a map or the frames of a stack; this is "
                          + type.get().withArticle(),
                      type.get().isText()
                          ? "the length of a string is strlen(…)"
                          : "write len(@m), len(kstack), len(ustack) or len($s), where one stack"
                              + " is assigned to $s");
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
                  The number of entries of a map with keys, counted one by one by the kernel; or the
                  number of frames of a stack, 0 if it is empty: kstack or ustack with its
                  arguments, or a variable that holds one (before Linux 5.13, too). Frames are found
                  as those of the stack that is printed; its last frame in brackets counts, too.
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

  /** Assigns the value under a key to a scratch variable; returns whether there is an entry. */
  public static final Builtin FIND =
      new Builtin.Macro(Signature.of(Parameter.ENTRY, Parameter.SCRATCH), Effect.CHANGE, "find") {
        /** The variables of the key's parts; no script can have these names. */
        private static final String PART = "$find ";

        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          if (!(call.arguments().get(0) instanceof Expr.MapRead read)
              || !(call.arguments().get(1) instanceof Expr.VariableRead found)
              || read.map().keys().isEmpty()) {
            return Optional.empty();
          }
          SourceSpan span = call.span();
          List<Statement> statements = new ArrayList<>();
          List<Expr> keys = new ArrayList<>();
          for (Expr key : read.map().keys()) {
            if (isRepeatable(key)) {
              keys.add(key);
            } else {
              String part = PART + keys.size();
              statements.add(
                  new Statement.Declare(part, Optional.empty(), Optional.of(key), key.span()));
              keys.add(new Expr.VariableRead(part, key.span()));
            }
          }
          Expr entry =
              new Expr.MapRead(new MapRef(read.map().name(), keys, read.span()), read.span());
          Statement assign = new Statement.Assign(found.name(), found.span(), entry, read.span());
          Expr choice =
              new Expr.Conditional(
                  new Expr.Call(HAS_KEY, List.of(entry), span),
                  Optional.of(
                      new Expr.Block(
                          new Statement.Block(List.of(assign), span),
                          Expr.Cast.truth(true, span),
                          span)),
                  Expr.Cast.truth(false, span),
                  span);
          return Optional.of(
              statements.isEmpty()
                  ? choice
                  : new Expr.Block(new Statement.Block(statements, span), choice, span));
        }

        /** Returns whether an expression has one value and no effect, however often it is read. */
        private boolean isRepeatable(Expr expr) {
          return expr instanceof Expr.IntLiteral
              || expr instanceof Expr.StringLiteral
              || expr instanceof Expr.NamedConstant
              || expr instanceof Expr.VariableRead
              || expr instanceof Expr.Argument
              || (expr instanceof Expr.Call value
                  && value.arguments().isEmpty()
                  && Builtin.of(value).effect() == Effect.INVARIANT)
              || (expr instanceof Expr.Tuple tuple
                  && tuple.elements().stream().allMatch(this::isRepeatable));
        }

        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          boolean isEntry =
              call.arguments().get(0) instanceof Expr.MapRead read && !read.map().keys().isEmpty();
          typing
              .diagnostics()
              .error(
                  DiagnosticCode.TYPE_MISMATCH,
                  isEntry ? call.arguments().get(1).span() : call.span(),
                  isEntry
                      ? "\"find\" assigns the value to a scratch variable; this is not one"
                      : "\"find\" looks up a key in a map",
                  "write let $value; if (find(@m, key, $value)) { … }");
          return Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              1 if the map has an entry for the key, whose value is then assigned to the variable;
              else 0, and the variable keeps its value.
              """,
              """
              tracepoint:sched:sched_process_exec { @start[tid] = nsecs; }
              tracepoint:sched:sched_process_exit {
                let $start;
                if (find(@start, tid, $start)) {
                  @ns = quantize(nsecs - $start);
                  delete(@start, tid);
                }
              }
              """,
              "find(map, key, variable)",
              "find(map, (key, …), variable)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(HAS_KEY, FIND, LEN);

  private MapBuiltins() {}

  /** Returns whether a value, such as an argument of {@link #LEN}, is a stack trace. */
  public static boolean isStack(Expr argument) {
    return argument instanceof Expr.Call call
        && (call.function() == StackBuiltins.STACK || call.function() == StackBuiltins.USTACK);
  }
}
