package dev.ply.lang.declare;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.declare.Macro.Kind;
import dev.ply.lang.declare.Macro.Parameter;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.BuiltIns;
import dev.ply.lang.token.Positions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The macros of a script, by name; several of one name differ in their parameters. */
public final class Macros {
  /** The maximum number of expansions: stops macros that call each other twice. */
  private static final int MOST_EXPANSIONS = 10_000;

  private final Positions positions;
  private final Diagnostics diagnostics;
  private final Map<String, List<Macro>> macros = new LinkedHashMap<>();
  private final Set<Macro> expanded = new HashSet<>();
  private int expansions;

  public Macros(Positions positions, Diagnostics diagnostics) {
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Adds a definition. */
  public void define(PlyParser.MacroContext context) {
    if (context.block() == null || context.getChildCount() < 2) {
      return;
    }
    String name = context.getChild(1).getText();
    List<Parameter> parameters = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (PlyParser.ParameterContext parameter : context.parameter()) {
      if (!names.add(parameter.getText())) {
        error(
            parameter, "macro \"" + name + "\" has two parameters \"" + parameter.getText() + "\"");
      } else if (BuiltIns.isKnown(parameter.getText())) {
        error(parameter, "\"" + parameter.getText() + "\" is built in and cannot name a parameter");
      }
      parameters.add(Parameter.of(parameter.getText()));
    }
    SourceSpan span =
        positions.of(context.getStart()).through(positions.of(context.block().getStart()));
    add(new Macro(name, parameters, context.block(), Optional.empty(), span));
  }

  /** Adds the definition of a function. */
  public void define(PlyParser.FunctionContext context) {
    if (context.block() == null || context.typeName() == null || context.FUNCTION() == null) {
      return;
    }
    String name = context.FUNCTION().getText();
    List<Parameter> parameters = new ArrayList<>();
    List<PlyParser.TypeNameContext> types = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (PlyParser.TypedParameterContext parameter : context.typedParameter()) {
      if (parameter.typeName() == null) {
        return;
      }
      String variable = parameter.VARIABLE().getText();
      if (!names.add(variable)) {
        diagnostics.error(
            DiagnosticCode.DECLARED_TWICE,
            positions.of(parameter),
            "function \"" + name + "\" has two parameters \"" + variable + "\"");
      }
      parameters.add(new Parameter(variable, Kind.EXPRESSION));
      types.add(parameter.typeName());
    }
    SourceSpan span =
        positions.of(context.getStart()).through(positions.of(context.block().getStart()));
    Macro.Types declared = new Macro.Types(types, context.typeName());
    add(new Macro(name, parameters, context.block(), Optional.of(declared), span));
  }

  private void add(Macro macro) {
    String name = macro.name();
    SourceSpan span = macro.span();
    List<Macro> alike = macros.computeIfAbsent(name, unused -> new ArrayList<>());
    if (alike.stream().anyMatch(macro::isLike)) {
      diagnostics.error(
          DiagnosticCode.DECLARED_TWICE,
          span,
          macro.noun() + " \"" + macro.head() + "\" is defined already",
          macro.noun() + "s of one name differ in the number or kind of their parameters");
    }
    alike.add(macro);
  }

  private void error(PlyParser.ParameterContext parameter, String message) {
    diagnostics.error(DiagnosticCode.DECLARED_TWICE, positions.of(parameter), message);
  }

  /** Returns whether a name is that of a macro. */
  public boolean isKnown(String name) {
    return macros.containsKey(name);
  }

  /** Returns the names of all macros. */
  public Stream<String> names() {
    return macros.keySet().stream();
  }

  /** Returns the macro that fits a call best. */
  public Optional<Macro> find(String name, List<Kind> arguments) {
    return macros.getOrDefault(name, List.of()).stream()
        .filter(macro -> macro.accepts(arguments))
        .max(Comparator.comparingInt(Macro::strictness));
  }

  /** Reports a call that fits none of the macros of its name. */
  public void reportMismatch(
      String name, List<Kind> arguments, List<SourceSpan> spans, SourceSpan call) {
    List<Macro> known = macros.getOrDefault(name, List.of());
    Optional<Macro> closest =
        known.stream().filter(macro -> macro.parameters().size() == arguments.size()).findFirst();
    String definitions =
        "it is defined as " + String.join(", ", known.stream().map(Macro::head).toList());
    if (closest.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.ARGUMENT_COUNT,
          call,
          known.get(0).noun()
              + " \""
              + name
              + "\" has "
              + (known.size() == 1
                  ? known.get(0).parameters().size()
                      + (known.get(0).parameters().size() == 1 ? " parameter" : " parameters")
                  : "no form with as many parameters")
              + (arguments.size() == 1 ? "; here is " : "; here are ")
              + arguments.size(),
          definitions);
      return;
    }
    for (int i = 0; i < arguments.size(); i++) {
      Parameter parameter = closest.get().parameters().get(i);
      if (!parameter.kind().accepts(arguments.get(i))) {
        diagnostics.error(
            DiagnosticCode.TYPE_MISMATCH,
            spans.get(i),
            closest.get().noun()
                + " \""
                + name
                + "\" takes "
                + parameter.kind()
                + " as \""
                + parameter.name()
                + "\"; this is "
                + arguments.get(i),
            definitions);
      }
    }
  }

  /** Returns the functions that nothing has called, in source order. */
  public List<Macro> uncalled() {
    return macros.values().stream()
        .flatMap(List::stream)
        .filter(macro -> macro.types().isPresent() && !expanded.contains(macro))
        .toList();
  }

  /** Counts an expansion, and returns whether it is allowed. */
  public boolean expand(Macro macro, SourceSpan call) {
    expanded.add(macro);
    if (++expansions == MOST_EXPANSIONS) {
      diagnostics.error(
          DiagnosticCode.TOO_COMPLEX,
          call,
          "the script expands macros and functions more than " + MOST_EXPANSIONS + " times",
          "a macro that uses a parameter twice doubles its argument; assign it first: let $x = x;");
    }
    return expansions < MOST_EXPANSIONS;
  }
}
