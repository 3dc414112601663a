package dev.ply.builtin.catalog;

import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.ir.Expr;
import dev.ply.result.TraceLine;
import dev.ply.type.Type;
import dev.ply.type.Type.VoidType;
import java.util.Optional;

/** Functions that send events to user space; none has a value. */
public final class EventBuiltins {
  /** Prints values in their default formats, separated by commas. */
  public static final Builtin PRINT =
      new Builtin(Signature.of(Parameter.VALUE).repeated(), Effect.EVENT, "print") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          for (Expr argument : call.arguments()) {
            if (isBareMap(argument)) {
              typing.wholeMap((Expr.MapRead) argument);
            } else {
              printable(argument, typing);
            }
          }
          return Optional.of(new VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Prints values in the default formats of their types, separated by commas, and a
              newline. A map's name alone prints the whole map as it is when the event arrives; a
              constant after it limits that to the entries with the largest values, and a second
              constant divides the values.
              """,
              """
              tracepoint:sched:sched_process_exit { print(walltime, comm, pid); }
              """,
              "print(value, …)",
              "print(map)",
              "print(map, top, div)");
        }
      };

  /** Prints values by a format. */
  public static final Builtin PRINTF = new Printf();

  /** Prints a time: what {@code time("…")} stands for. Not found by name. */
  public static final Builtin PRINT_TIME = new Printf();

  /** Prints the strings of an array of pointers, such as {@code argv}. */
  public static final Builtin JOIN =
      new Builtin(
          Signature.of(Parameter.ADDRESS).optional(Parameter.LITERAL), Effect.EVENT, "join") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr array = call.arguments().get(0);
          typing
              .apply(array)
              .ifPresent(
                  type ->
                      typing.integer(
                          type,
                          array,
                          "the argument of \"join\"",
                          type.isText()
                              ? "printf prints a string; join takes the address of an array of"
                                  + " strings, such as args.argv"
                              : "join takes the address of an array of strings, such as"
                                  + " args.argv"));
          if (call.arguments().size() > 1) {
            separator(call.arguments().get(1), typing);
          }
          return Optional.of(new VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Prints the strings of an array of pointers, such as the arguments of a program, up to
              a null pointer, separated by spaces or the separator, and a newline. Up to 64 strings
              of 1023 bytes, 4096 bytes in all; .. shows what is cut.
              """,
              """
              tracepoint:syscalls:sys_enter_execve { join(data->argv); }
              """,
              "join(array)",
              "join(array, \"separator\")");
        }
      };

  /** Stops the trace with an exit status. */
  public static final Builtin EXIT =
      new Builtin(Signature.NONE.optional(Parameter.NUMBER), Effect.EVENT, "exit") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          if (!call.arguments().isEmpty()) {
            typing.number(call, 0, "the exit status");
          }
          return Optional.of(new VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Stops the trace with a status, of which the lower eight bits are used. The rest of the
              clause and END still run, and maps are printed. A status set in END replaces an
              earlier one.
              """,
              """
              interval:1s { exit(0); }
              """,
              "exit(status)");
        }
      };

  /**
   * Empties a map. Done in user space, in the order of events; updates between a preceding {@code
   * print} of the map and this are lost.
   */
  public static final Builtin CLEAR =
      new Builtin(Signature.of(Parameter.MAP), Effect.EVENT, "clear") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          checkWholeMap(call, "empties", typing);
          return Optional.of(new VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Clears a map when the event arrives, in order with other output. For an aggregation
              that the clause has just printed, exactly what was printed is subtracted: concurrent
              updates are kept.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }
              interval:1s { print(@); clear(@); }
              """,
              "clear(map)");
        }
      };

  /** Sets the values of a map to zero. Done in user space, in the order of events. */
  public static final Builtin ZERO =
      new Builtin(Signature.of(Parameter.MAP), Effect.EVENT, "zero") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          checkWholeMap(call, "zeroes", typing);
          return Optional.of(new VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Sets all values of a map to zero when the event arrives, in order with other output,
              and keeps the keys. Histograms are empty until their next update.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }
              interval:1s { print(@); zero(@); }
              """,
              "zero(map)");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(PRINT, PRINTF, JOIN, EXIT, CLEAR, ZERO);

  private EventBuiltins() {}

  /** Returns the separator of a checked call of {@link #JOIN}. */
  public static String separator(Expr.Call join) {
    return join.arguments().size() > 1
        ? ((Expr.StringLiteral) join.arguments().get(1)).value()
        : " ";
  }

  private static void separator(Expr argument, Typing typing) {
    Optional<Type> type = typing.apply(argument);
    if (type.isPresent() && !(argument instanceof Expr.StringLiteral)) {
      typing
          .diagnostics()
          .error(
              TYPE_MISMATCH, argument.span(), "the separator of \"join\" must be a string literal");
    }
  }

  public static boolean isBareMap(Expr expr) {
    return expr instanceof Expr.MapRead read && read.map().keys().isEmpty();
  }

  static void printable(Expr argument, Typing typing) {
    Optional<Type> type = typing.apply(argument);
    if (type.filter(VoidType.class::isInstance).isPresent()) {
      typing.diagnostics().error(TYPE_MISMATCH, argument.span(), "this has no value to print");
    }
    type.ifPresent(shown -> MemoryBuiltins.noteLocation(argument, shown, typing.diagnostics()));
  }

  /** Types an argument that must be the name of a map; {@code does} is what happens to it. */
  private static void checkWholeMap(Expr.Call call, String does, Typing typing) {
    Expr map = call.arguments().get(0);
    String name = call.function().canonicalName();
    if (isBareMap(map)) {
      typing.wholeMap((Expr.MapRead) map);
      return;
    }
    Optional<Type> type = typing.apply(map);
    if (map instanceof Expr.MapRead entry) {
      typing
          .diagnostics()
          .error(
              TYPE_MISMATCH,
              map.span(),
              "\"" + name + "\" " + does + " a whole map; this is one entry",
              name + "(" + entry.map().name() + "); or, for the entry alone, delete");
    } else if (type.isPresent()) {
      typing
          .diagnostics()
          .error(
              TYPE_MISMATCH,
              map.span(),
              "\""
                  + name
                  + "\" "
                  + does
                  + " a map; "
                  + (type.get() instanceof VoidType
                      ? "this has no value"
                      : "this is " + type.get().withArticle()));
    }
  }

  /** Prints values by a format. */
  private static class Printf extends Builtin {
    Printf() {
      super(
          new Signature(ImmutableList.of(Parameter.FORMAT, Parameter.VALUE), 1, true),
          Effect.EVENT,
          "printf");
    }

    @Override
    public Optional<Type> type(Expr.Call call, Typing typing) {
      new FormatCheck(typing).apply(call);
      return Optional.of(new VoidType());
    }

    @Override
    public Documentation documentation() {
      return new Documentation(
          "nothing",
          """
          Prints values by a format: C's conversions (%d %u %x %o %c %s %p, with flags, width,
          precision; values have the size of their type), %pS for a kernel address as symbol, offset
          and size, %gr for the kernel's allocation flags (GFP) by name, and %v for the default
          format of the type.
          """,
          """
          tracepoint:sched:sched_process_exec { printf("%-16s %6d %v\\n", comm, pid, time); }
          """,
          "printf(\"format\", value, …)");
    }
  }

  /** {@code printf} of the hits of a probe event, which renderers may show in another form. */
  public static final class TracePrintf extends Printf {
    private final TraceLine line;

    /**
     * Declares the function of an event, whose format is that of the line as text.
     *
     * @param line what is known about the hits
     */
    public TracePrintf(TraceLine line) {
      this.line = line;
    }

    /** Returns what is known about the hits. */
    public TraceLine line() {
      return line;
    }
  }
}
