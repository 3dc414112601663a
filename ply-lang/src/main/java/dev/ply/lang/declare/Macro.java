package dev.ply.lang.declare;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.antlr.v4.runtime.tree.Trees;

/**
 * A macro that a script defines, {@code macro name($variable, @map, expression) { … }}, or a
 * function, {@code fn name($variable: type): type { … }}. Either is expanded where it is called.
 *
 * @param body its statements; the last may be the value of a macro
 * @param types of a function's parameters and result
 */
public record Macro(
    String name,
    List<Parameter> parameters,
    PlyParser.BlockContext body,
    Optional<Types> types,
    SourceSpan span) {
  public Macro {
    parameters = List.copyOf(parameters);
  }

  /** The types that a function declares. */
  public record Types(
      List<PlyParser.TypeNameContext> parameters, PlyParser.TypeNameContext result) {
    public Types {
      parameters = List.copyOf(parameters);
    }

    /** Returns the variables that the type of a parameter names. */
    public Set<String> variables(int parameter) {
      return Trees.getDescendants(parameters.get(parameter)).stream()
          .filter(
              node ->
                  node instanceof TerminalNode leaf
                      && leaf.getSymbol().getType() == PlyLexer.VARIABLE)
          .map(ParseTree::getText)
          .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns whether the function returns no value. */
    public boolean isVoid() {
      return result.getText().equals("void");
    }
  }

  /** Returns what it is called in messages. */
  public String noun() {
    return types.isPresent() ? "function" : "macro";
  }

  /** The kinds of arguments of a parameter. */
  public enum Kind {
    /** {@code $x}: a variable of the caller, which the macro can change. */
    VARIABLE("a variable"),
    /** {@code @m}: a map, which the macro can change. */
    MAP("a map"),
    /** {@code x}: any expression, evaluated where the body names it. */
    EXPRESSION("an expression");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Returns whether an argument of another kind can be passed. */
    boolean accepts(Kind argument) {
      return this == EXPRESSION || this == argument;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * A parameter.
   *
   * @param name with its {@code $} or {@code @}
   */
  public record Parameter(String name, Kind kind) {
    static Parameter of(String name) {
      return new Parameter(
          name,
          name.startsWith("$") ? Kind.VARIABLE : name.startsWith("@") ? Kind.MAP : Kind.EXPRESSION);
    }
  }

  /** Returns whether arguments can be passed. */
  boolean accepts(List<Kind> arguments) {
    if (arguments.size() != parameters.size()) {
      return false;
    }
    for (int i = 0; i < arguments.size(); i++) {
      if (!parameters.get(i).kind().accepts(arguments.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of parameters that accept one kind of argument only. */
  int strictness() {
    return (int) parameters.stream().filter(one -> one.kind() != Kind.EXPRESSION).count();
  }

  /** Returns whether both are called alike: names of parameters do not matter. */
  boolean isLike(Macro other) {
    return name.equals(other.name)
        && parameters.stream()
            .map(Parameter::kind)
            .toList()
            .equals(other.parameters.stream().map(Parameter::kind).toList());
  }

  /** Returns the head of its definition. */
  String head() {
    return parameters.stream()
        .map(Parameter::name)
        .collect(Collectors.joining(", ", name + "(", ")"));
  }
}
