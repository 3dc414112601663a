package dev.ply.analysis.rewrite;

import static dev.ply.diagnostic.DiagnosticCode.NOT_AVAILABLE_HERE;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_FIELD;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_FUNCTION;

import dev.ply.analysis.struct.ForeignTypes;
import dev.ply.analysis.typing.BinaryTypes;
import dev.ply.analysis.typing.TypeMember;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import dev.ply.machine.Architecture;
import dev.ply.probe.UserProbe.Uprobe;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.FunctionPrototype.Parameter;
import dev.ply.target.FunctionPrototype.Place;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Replaces {@code args.NAME} in probes of programs' functions by the argument that the debug
 * information says, {@code (struct node *)arg0}, and adds the types that these lead to.
 */
public final class NamedArguments extends Rewriter {
  /** The maximum number of functions of a pattern whose parameters are compared. */
  private static final int MOST_FUNCTIONS = 64;

  /** Empty if it is unknown, which has been reported. */
  private final Optional<FunctionPrototype> function;

  private final Architecture architecture;
  private final String definition;
  private final Diagnostics diagnostics;

  private NamedArguments(
      Optional<FunctionPrototype> function,
      Architecture architecture,
      String definition,
      Diagnostics diagnostics) {
    this.function = function;
    this.architecture = architecture;
    this.definition = definition;
    this.diagnostics = diagnostics;
  }

  public static Script apply(Script script, Target target, Diagnostics diagnostics) {
    BinaryTypes types = new BinaryTypes(script.definitions(), target);
    List<Clause> clauses = new ArrayList<>();
    for (Clause clause : script.clauses()) {
      Optional<SourceSpan> use =
          clause.point() instanceof Uprobe ? Uses.first(clause) : Optional.empty();
      if (use.isPresent()) {
        clauses.add(apply(clause, (Uprobe) clause.point(), use.get(), target, types, diagnostics));
      } else {
        clauses.add(clause);
        if (clause.point() instanceof Uprobe probe
            && ForeignTypes.areIn(clause, types.definitions(), target)) {
          addTypes(probe, target, types);
        }
      }
    }
    return clauses.equals(script.clauses())
            && types.definitions().size() == script.definitions().size()
        ? script
        : script.withClauses(clauses).withDefinitions(types.definitions());
  }

  /** Adds the types that the arguments of a function lead to, for casts of arguments. */
  private static void addTypes(Uprobe probe, Target target, BinaryTypes types) {
    try {
      prototype(probe, target.binaries())
          .ifPresent(
              known -> {
                FunctionPrototype unused = types.named(known, probe.place().binary());
              });
    } catch (ProbeSiteNotFoundException | UnreadableTargetException e) {
      // Reported when the probe site is resolved; the type is unknown.
    }
  }

  private static Clause apply(
      Clause clause,
      Uprobe probe,
      SourceSpan use,
      Target target,
      BinaryTypes types,
      Diagnostics diagnostics) {
    Optional<FunctionPrototype> function = Optional.empty();
    try {
      function = prototype(probe, target.binaries());
      if (function.isEmpty()) {
        diagnostics.error(
            NOT_AVAILABLE_HERE,
            use,
            "the arguments of " + probe.definition() + " have no names here",
            "they are those of debug information (gcc -g, a debug package), and must be the same"
                + " for all functions of a pattern; arg0, arg1, … need none");
      }
    } catch (ProbeSiteNotFoundException e) {
      // Reported when the probe site is resolved.
    } catch (UnreadableTargetException e) {
      diagnostics.error(
          DiagnosticCode.UNREADABLE, clause.pointSpan(), String.valueOf(e.getMessage()));
    }
    return new NamedArguments(
            function.map(known -> types.named(known, probe.place().binary())),
            target.architecture(),
            probe.definition(),
            diagnostics)
        .rewrite(clause);
  }

  /**
   * Returns the parameters of the function that a probe is on; of several, if they have the same.
   */
  private static Optional<FunctionPrototype> prototype(Uprobe probe, BinaryCatalog binaries) {
    UserSelector place = probe.place();
    if (place.binary().isEmpty()) {
      return prototype(
          place.in(binaries.ownProgram().orElseThrow(NamedArguments::missing)), binaries);
    }
    return binaries.isPattern(place.binary()) ? Optional.empty() : prototype(place, binaries);
  }

  private static ProbeSiteNotFoundException missing() {
    return new ProbeSiteNotFoundException(UNKNOWN_FUNCTION, "function not found");
  }

  private static Optional<FunctionPrototype> prototype(UserSelector place, BinaryCatalog binaries) {
    if (!(place instanceof UserSelector.Pattern pattern)) {
      return binaries.prototype(place);
    }
    List<UserSelector.Function> functions = binaries.select(pattern).functions();
    if (functions.isEmpty()) {
      throw missing();
    }
    List<Optional<FunctionPrototype>> different =
        functions.stream().limit(MOST_FUNCTIONS).map(binaries::prototype).distinct().toList();
    return different.size() == 1 && functions.size() <= MOST_FUNCTIONS
        ? different.get(0)
        : Optional.empty();
  }

  @Override
  public Expr visit(Expr.Member node) {
    if (isContext(node.base())) {
      return function.isEmpty()
          ? new Expr.Unknown(node.span())
          : value(function.get().parameters(), node, definition, "argument");
    }
    Optional<Place.Parts> whole = parts(node.base());
    return whole.isPresent()
        ? value(whole.get().parts(), node, path(node.base()), "member")
        : super.visit(node);
  }

  /** Returns the parts of an argument that is in several registers. */
  private Optional<Place.Parts> parts(Expr expr) {
    if (!(expr instanceof Expr.Member member) || function.isEmpty()) {
      return Optional.empty();
    }
    List<Parameter> all =
        isContext(member.base())
            ? function.get().parameters()
            : parts(member.base()).map(Place.Parts::parts).orElse(List.of());
    return all.stream()
        .filter(one -> one.name().equals(member.name()))
        .findFirst()
        .map(Parameter::place)
        .filter(Place.Parts.class::isInstance)
        .map(Place.Parts.class::cast);
  }

  private Expr value(List<Parameter> parameters, Expr.Member node, String owner, String what) {
    Optional<Parameter> named =
        parameters.stream().filter(parameter -> parameter.name().equals(node.name())).findFirst();
    if (named.isEmpty()) {
      List<String> names =
          parameters.stream().map(Parameter::name).filter(name -> !name.isEmpty()).toList();
      diagnostics.error(
          UNKNOWN_FIELD,
          node.nameSpan(),
          owner + " has no " + what + " \"" + node.name() + "\"",
          names.isEmpty()
              ? new String[] {"it has none with a name"}
              : Suggestions.hint(
                  node.name(), names.stream(), "it has " + String.join(", ", names)));
      return new Expr.Unknown(node.span());
    }
    return value(named.get(), node);
  }

  private Expr value(Parameter parameter, Expr.Member node) {
    if (parameter.place() instanceof Place.Parts parts) {
      if (parts.isText()) {
        return new Expr.Call(MemoryBuiltins.STR, text(parts, node), node.span());
      }
      return unreadable(
          node,
          "it is in several registers",
          "its members can be read: "
              + parts.parts().stream()
                  .map(part -> path(node) + "." + part.name())
                  .collect(Collectors.joining(", ")));
    }
    if (parameter.place() instanceof Place.Nowhere nowhere) {
      return unreadable(node, nowhere.reason(), nowhere.hint());
    }
    if (parameter.type().isEmpty()) {
      return unreadable(
          node, "its type is not described", "arg0, arg1, … need no types; cast them");
    }
    return new Expr.Cast(parameter.type().get(), word(parameter.place(), node.span()), node.span());
  }

  private static String path(Expr expr) {
    return expr instanceof Expr.Member member ? path(member.base()) + "." + member.name() : "args";
  }

  private Expr unreadable(Expr.Member node, String reason, String hint) {
    diagnostics.error(
        NOT_AVAILABLE_HERE,
        node.nameSpan(),
        "\"" + node.name() + "\" cannot be read: " + reason,
        hint);
    return new Expr.Unknown(node.span());
  }

  /** The size that is asked for, with a NUL, is the limit of what there is. */
  private Expr string(Place.Parts text, Expr.Call node) {
    List<Expr> whole = text(text, (Expr.Member) node.arguments().get(0));
    if (node.arguments().size() == 1) {
      return new Expr.Call(MemoryBuiltins.STR, whole, node.span());
    }
    Expr limit = rewrite(node.arguments().get(1));
    Expr size = whole.get(1);
    Expr isShort = new Expr.Binary(BinaryOp.LT, size, limit, node.span());
    Expr least = new Expr.Conditional(isShort, Optional.of(size), limit, node.span());
    return new Expr.Call(MemoryBuiltins.STR, List.of(whole.get(0), least), node.span());
  }

  /** Returns the address and the length of a string, which ends with no NUL. */
  private List<Expr> text(Place.Parts parts, Expr.Member node) {
    Expr address = value(parts.parts().get(0), node);
    Expr length = value(parts.parts().get(1), node);
    return List.of(
        address,
        new Expr.Binary(BinaryOp.ADD, length, new Expr.IntLiteral(1, node.span()), node.span()));
  }

  private Expr word(Place place, SourceSpan span) {
    if (place instanceof Place.Argument argument) {
      return argument(argument.number(), span);
    }
    if (place instanceof Place.Register register) {
      Expr name = new Expr.StringLiteral(register.name(), span);
      return new Expr.Call(ContextBuiltins.REG, List.of(name), span);
    }
    if (place instanceof Place.StackWord word) {
      return stackWord(word.number(), span);
    }
    if (place instanceof Place.Bits bits) {
      Expr shift = new Expr.IntLiteral(bits.shift(), span);
      return new Expr.Binary(BinaryOp.SHR, word(bits.word(), span), shift, span);
    }
    throw new IllegalStateException("no word: " + place);
  }

  private static Expr stackWord(int number, SourceSpan span) {
    return new Expr.Call(ContextBuiltins.SARG, List.of(new Expr.IntLiteral(number, span)), span);
  }

  @Override
  public Expr visit(Expr.Call node) {
    if (node.function() == MemoryBuiltins.STR && !node.arguments().isEmpty()) {
      Optional<Place.Parts> text = parts(node.arguments().get(0)).filter(Place.Parts::isText);
      if (text.isPresent()) {
        return string(text.get(), node);
      }
    }
    if (node.function() != ContextBuiltins.DATA) {
      return super.visit(node);
    }
    return function.isPresent() ? all(function.get(), node) : new Expr.Unknown(node.span());
  }

  /** Returns all arguments that can be read as a record. */
  private Expr all(FunctionPrototype known, Expr.Call node) {
    Map<String, Expr> values = new LinkedHashMap<>();
    List<String> missing = new ArrayList<>();
    for (Parameter parameter : known.parameters()) {
      boolean isText = parameter.place() instanceof Place.Parts parts && parts.isText();
      boolean isWord =
          parameter.type().isPresent()
              && !(parameter.place() instanceof Place.Parts)
              && !(parameter.place() instanceof Place.Nowhere);
      if (parameter.name().isEmpty() || !(isText || isWord)) {
        missing.add(parameter.name().isEmpty() ? "one without a name" : parameter.name());
      } else {
        SourceSpan span = node.span();
        Expr.Member member =
            new Expr.Member(node, Expr.Member.Access.DOT, parameter.name(), span, span);
        values.putIfAbsent(parameter.name(), value(parameter, member));
      }
    }
    if (values.isEmpty()) {
      diagnostics.error(NOT_AVAILABLE_HERE, node.span(), definition + " has no readable arguments");
      return new Expr.Unknown(node.span());
    }
    if (!missing.isEmpty()) {
      diagnostics.note(
          NOT_AVAILABLE_HERE,
          node.span(),
          "unreadable arguments of " + definition + " are left out: " + String.join(", ", missing));
    }
    return new Expr.Tuple(List.copyOf(values.keySet()), List.copyOf(values.values()), node.span());
  }

  /** Those that no register is left for are on the stack. */
  private Expr argument(int number, SourceSpan span) {
    int onStack = number - architecture.argumentRegisters();
    return onStack < 0 ? new Expr.Argument(number, span) : stackWord(onStack, span);
  }

  /** Drops the `args` expression left by alias removal. */
  @Override
  public Statement visit(Statement.Evaluate node) {
    return isContext(node.expression())
        ? new Statement.Block(List.of(), node.span())
        : super.visit(node);
  }

  private static boolean isContext(Expr expr) {
    return TypeMember.isContext(expr)
        && !(expr instanceof Expr.Call call && call.function() != ContextBuiltins.DATA);
  }

  /** Finds the first {@code args} of a clause, and replaces nothing. */
  private static final class Uses extends Walker {
    private Optional<SourceSpan> first = Optional.empty();

    static Optional<SourceSpan> first(Clause clause) {
      Uses uses = new Uses();
      uses.walk(clause);
      return uses.first;
    }

    @Override
    public Walker visit(Expr.Call node) {
      if (first.isEmpty() && node.function() == ContextBuiltins.DATA) {
        first = Optional.of(node.span());
      }
      return super.visit(node);
    }
  }
}
