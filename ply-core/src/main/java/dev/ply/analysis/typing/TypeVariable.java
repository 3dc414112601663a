package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.CIRCULAR_TYPE;
import static dev.ply.diagnostic.DiagnosticCode.DECLARED_TWICE;
import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_NAME;
import static dev.ply.diagnostic.DiagnosticCode.UNSET_VARIABLE;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.type.AddressSpace;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Resolves the scratch variables of a clause in their scopes, and types them. */
public final class TypeVariable {
  private final VariableTypes types;
  private final VariableScopes scopes = new VariableScopes();
  private final Diagnostics diagnostics;

  /** The variables by the nodes that name them: reads and statements. */
  private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

  private final List<String> names = new ArrayList<>();

  /** The variables without a type for which an error has been reported. */
  private final Set<Integer> explained = new HashSet<>();

  /** The variables of loops. */
  private final Set<Integer> ofLoops = new HashSet<>();

  /** The first value assigned to each variable. */
  private final Map<Integer, Expr> values = new HashMap<>();

  /** The types that declarations state, by the variables' numbers. */
  private final Map<Integer, Type> declared = new HashMap<>();

  public TypeVariable(VariableTypes types, Diagnostics diagnostics) {
    this.types = types;
    this.diagnostics = diagnostics;
  }

  VariableScopes scopes() {
    return scopes;
  }

  /** Types a read; an undeclared variable is an error. */
  Optional<Type> read(Expr.VariableRead node, TypeExpression expressions) {
    OptionalInt number = scopes.find(node.name());
    if (number.isEmpty()) {
      diagnostics.error(
          UNKNOWN_NAME,
          node.span(),
          "variable \"" + node.name() + "\" has no value here",
          Suggestions.hint(
              node.name(),
              // Any one-letter name is similar to any other.
              scopes.names().filter(name -> name.length() > 3),
              "assign to it before, in this block or one around it: "
                  + node.name()
                  + " = 0; clauses share values in maps: @"
                  + node.name().substring(1)));
      return expressions.unknown();
    }
    numbers.put(node, number.getAsInt());
    Optional<Type> type = types.type(number.getAsInt());
    if (type.isEmpty() && !types.isAssigned(number.getAsInt())) {
      return expressions.untyped(
          TYPE_MISMATCH,
          node.span(),
          "variable \"" + node.name() + "\" is never assigned, so it has no type");
    }
    if (type.isEmpty() && types.isObscure(number.getAsInt())) {
      return expressions.unknown();
    }
    if (type.isEmpty() && !explained.contains(number.getAsInt())) {
      return expressions.untyped(
          CIRCULAR_TYPE,
          node.span(),
          "variable \"" + node.name() + "\" has no type: it is only assigned from itself");
    }
    return type;
  }

  /** Records an assignment, which declares the variable if no enclosing block has it. */
  void assign(Statement.Assign node, Optional<Type> value, boolean isWrong, boolean isExplained) {
    OptionalInt known = scopes.find(node.variable());
    int number = known.isPresent() ? known.getAsInt() : declare(node.variable());
    numbers.put(node, number);
    if (isExplained) {
      explained.add(number);
    }
    learn(number, node.value(), value, isWrong);
  }

  /** Records a declaration. */
  void declare(
      Statement.Declare node,
      Optional<Type> declared,
      Optional<Type> value,
      boolean isWrong,
      boolean isExplained) {
    OptionalInt known = scopes.find(node.variable());
    if (known.isPresent() && types.isObscure(known.getAsInt())) {
      numbers.put(node, known.getAsInt());
      return;
    }
    if (known.isPresent()) {
      diagnostics.error(
          DECLARED_TWICE,
          node.span(),
          "variable \"" + node.variable() + "\" is declared already",
          "leave out \"let\" to assign to it, or give this one another name");
      return;
    }
    int number = declare(node.variable());
    numbers.put(node, number);
    if (isExplained) {
      explained.add(number);
    }
    declared.ifPresent(
        type -> {
          types.mentionAssignment(number);
          types.learn(number, type);
          this.declared.put(number, type);
        });
    node.value().ifPresent(expr -> learn(number, expr, value, isWrong));
  }

  /** Declares a loop variable in the scope of the loop's body. */
  void loop(Statement.ForRange node) {
    int number = declareForLoop(node.variable(), node.span());
    numbers.put(node, number);
    ofLoops.add(number);
    types.mentionAssignment(number);
    types.learn(number, IntType.S64);
  }

  /** Declares the variable of a loop over a map in the scope of its body. */
  void loop(Statement.ForEach node, Optional<Type> entry) {
    int number = declareForLoop(node.variable(), node.span());
    numbers.put(node, number);
    ofLoops.add(number);
    types.mentionAssignment(number);
    entry.ifPresentOrElse(type -> types.learn(number, type), () -> explained.add(number));
  }

  private int declareForLoop(String name, SourceSpan span) {
    OptionalInt known = scopes.find(name);
    if (known.isPresent() && !types.isObscure(known.getAsInt())) {
      diagnostics.error(
          DECLARED_TWICE,
          span,
          "variable \"" + name + "\" exists already, and a loop has a variable of its own",
          "give the loop's variable another name");
    }
    return declare(name);
  }

  /** Gives the variables that are declared and never assigned a type, 0 being their value. */
  public void completeDeclarations() {
    numbers.forEach(
        (node, number) -> {
          if (node instanceof Statement.Declare declaration
              && types.type(number).isEmpty()
              && !types.isAssigned(number)) {
            types.learn(number, IntType.S64);
            diagnostics.warning(
                UNSET_VARIABLE,
                declaration.span(),
                "variable \"" + declaration.variable() + "\" is never assigned");
          }
        });
  }

  /** Returns whether a variable that has been read is declared by a loop. */
  boolean isOfLoop(Expr.VariableRead read) {
    return ofLoops.contains(numbers.get(read));
  }

  /** Records that a variable occurs in unparsed input. */
  void obscure(String name) {
    OptionalInt known = scopes.find(name);
    types.obscure(known.isPresent() ? known.getAsInt() : declare(name));
  }

  private int declare(String name) {
    names.add(name);
    return scopes.declare(name);
  }

  private void learn(int number, Expr expr, Optional<Type> value, boolean isWrong) {
    types.mentionAssignment(number);
    values.putIfAbsent(number, expr);
    if (value.isEmpty()) {
      if (isWrong) {
        types.obscure(number);
      }
      return;
    }
    Type type = value.get();
    checkRange(number, expr, type);
    boolean isContext =
        type instanceof PointerType pointer && pointer.space() == AddressSpace.CONTEXT;
    boolean isKept =
        type.isScalar()
            || TypeExpression.isText(type)
            || (type.isAggregate() && type.size() > 0)
            || type instanceof Type.EncodedString;
    if (type instanceof VoidType || isContext || !isKept) {
      diagnostics.error(
          TYPE_MISMATCH,
          expr.span(),
          type instanceof VoidType
              ? "this has no value to assign"
              : "a variable cannot hold " + TypeExpression.article(type),
          isContext
              ? "its members can be kept: $x = args.field;"
              : "variables hold numbers, addresses, strings, tuples, arrays and structures");
      types.obscure(number);
    } else if (!types.learn(number, type)) {
      diagnostics.error(
          TYPE_MISMATCH,
          expr.span(),
          "variable \""
              + names.get(number)
              + (declared.containsKey(number) ? "\" is of type " : "\" holds values of type ")
              + types.type(number).map(Type::name).orElse("unknown")
              + ", not "
              + type.name(),
          declared.containsKey(number)
              ? "declare it with another type, or convert the value"
              : "use another variable for it");
    }
  }

  /** Reports a constant that the declared type of the variable does not have. */
  private void checkRange(int number, Expr expr, Type type) {
    OptionalLong constant = ConstantValue.of(expr);
    if (declared.get(number) instanceof IntType narrow
        && type instanceof IntType integer
        && constant.isPresent()
        && !ConstantFaults.fits(ConstantFaults.exact(constant.getAsLong(), integer), narrow)) {
      diagnostics.error(
          OUT_OF_RANGE,
          expr.span(),
          "variable \""
              + names.get(number)
              + "\" is "
              + ConstantFaults.range(narrow)
              + ", which this is not",
          "declare it with a wider type, or convert the value: (" + narrow.name() + ")…");
    }
  }

  /** Returns the variables by the nodes that name them, compared by identity. */
  public IdentityHashMap<Object, LocalVariable> variables() {
    IdentityHashMap<Object, LocalVariable> variables = new IdentityHashMap<>();
    numbers.forEach(
        (node, number) ->
            types
                .type(number)
                .ifPresent(
                    type ->
                        variables.put(node, new LocalVariable(number, names.get(number), type))));
    return variables;
  }

  /** Returns the first value assigned to each variable, by number. */
  public Map<Integer, Expr> values() {
    return values;
  }
}
