package dev.ply.lang.build;

import dev.ply.lang.declare.Macro;
import dev.ply.lang.grammar.PlyParser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A call of a macro: what its parameters are bound to, and the names that its variables have in the
 * clause, which differ from all others.
 */
final class Expansion {
  private final Macro macro;
  private final Optional<Expansion> caller;
  private final Map<String, PlyParser.ExpressionContext> arguments = new HashMap<>();
  private final Map<String, String> variables = new HashMap<>();

  /**
   * Binds the parameters of a macro.
   *
   * @param caller the expansion whose body contains the call, in which the arguments are evaluated
   */
  Expansion(Macro macro, Optional<Expansion> caller, List<PlyParser.ExpressionContext> arguments) {
    this.macro = macro;
    this.caller = caller;
    for (int i = 0; i < arguments.size(); i++) {
      this.arguments.put(macro.parameters().get(i).name(), arguments.get(i));
    }
  }

  Macro macro() {
    return macro;
  }

  Optional<Expansion> caller() {
    return caller;
  }

  /** Returns what a parameter is bound to, to be evaluated in the caller. */
  Optional<PlyParser.ExpressionContext> argument(String parameter) {
    return Optional.ofNullable(arguments.get(parameter));
  }

  /** Returns the name of one of the macro's own variables. */
  String variable(String name, UnaryOperator<String> unused) {
    return variables.computeIfAbsent(name, unused);
  }

  /** Returns the calls from this one outwards: {@code a > b > a}. */
  static String chain(Optional<Expansion> innermost, Macro last) {
    StringBuilder chain = new StringBuilder(last.name());
    for (Optional<Expansion> one = innermost; one.isPresent(); one = one.get().caller()) {
      chain.insert(0, one.get().macro().name() + " > ");
    }
    return chain.toString();
  }
}
