package dev.ply.builtin.aggregate;

import static dev.ply.diagnostic.DiagnosticCode.ARGUMENT_COUNT;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import dev.ply.binding.Component;
import dev.ply.binding.ComponentCheck;
import dev.ply.binding.RecordBinding;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.type.Type;
import dev.ply.type.Type.VoidType;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Sends a record of the fluent API to user space: {@code emit(value, …)}, a value for each
 * component. Each probe has its own.
 *
 * @param <E> the record
 */
@SuppressWarnings("exports") // parts of it are for the other modules
public final class EmitFunction<E extends Record> extends Builtin {
  private final RecordBinding<E> binding;

  /** Declares the function that sends a record. */
  public EmitFunction(RecordBinding<E> binding) {
    super(new Signature(List.of(Parameter.VALUE), 0, true), Effect.EVENT, "emit");
    this.binding = binding;
  }

  /** Returns the record that is sent. */
  public RecordBinding<E> binding() {
    return binding;
  }

  @Override
  public Optional<Type> type(Expr.Call call, Typing typing) {
    binding
        .obstacle()
        .ifPresent(
            obstacle ->
                typing
                    .diagnostics()
                    .error(TYPE_MISMATCH, call.span(), binding.name() + ": " + obstacle));
    List<Optional<Type>> types =
        call.arguments().stream().map(argument -> value(argument, typing)).toList();
    if (types.size() != binding.components().size()) {
      typing.diagnostics().error(ARGUMENT_COUNT, call.span(), count(types.size()));
      return Optional.of(new VoidType());
    }
    for (Component component : binding.components()) {
      Expr argument = call.arguments().get(component.index());
      Optional<Component> swapped = swapped(component, call.arguments());
      if (swapped.isPresent()) {
        typing
            .diagnostics()
            .error(
                TYPE_MISMATCH,
                at(argument, call),
                message(component, "the value of this name is at the position of " + swapped.get()),
                "give the values in the order of the components " + binding.signature());
      } else {
        types.get(component.index()).ifPresent(type -> check(component, type, argument, typing));
      }
    }
    return Optional.of(new VoidType());
  }

  private String count(int given) {
    int components = binding.components().size();
    return binding.name()
        + " has "
        + components
        + (components == 1 ? " component " : " components ")
        + binding.signature()
        + ", emit has "
        + given
        + (given == 1 ? " value" : " values");
  }

  private static Optional<Type> value(Expr argument, Typing typing) {
    if (EventBuiltins.isBareMap(argument) && typing.isTable((Expr.MapRead) argument)) {
      typing.wholeMap((Expr.MapRead) argument);
      if (typing.isKnown((Expr.MapRead) argument)) {
        typing
            .diagnostics()
            .error(
                TYPE_MISMATCH,
                argument.span(),
                "a map cannot be a component of an event: read it from the session");
      }
      return Optional.empty();
    }
    return typing.apply(argument);
  }

  private void check(Component component, Type type, Expr argument, Typing typing) {
    ComponentCheck.mismatch(component, type)
        .ifPresent(
            mismatch ->
                typing
                    .diagnostics()
                    .error(
                        TYPE_MISMATCH,
                        argument.span(),
                        message(component, mismatch.message()),
                        mismatch.hint()));
  }

  private String message(Component component, String problem) {
    return binding.name() + ", " + component + ": " + problem;
  }

  private static SourceSpan at(Expr argument, Expr.Call call) {
    return argument.span().isKnown() ? argument.span() : call.span();
  }

  /** Returns the component that is given the value with the name of another, unlike that one. */
  private Optional<Component> swapped(Component component, List<Expr> arguments) {
    if (names(arguments.get(component.index())).contains(component.name())) {
      return Optional.empty();
    }
    return IntStream.range(0, arguments.size())
        .filter(i -> names(arguments.get(i)).contains(component.name()))
        .mapToObj(binding.components()::get)
        .filter(other -> !names(arguments.get(other.index())).contains(other.name()))
        .findFirst();
  }

  /** Returns the names of a value: of a built-in, of a field, of what a string is read from. */
  private static List<String> names(Expr value) {
    if (value instanceof Expr.Member member) {
      return List.of(member.name());
    }
    if (value instanceof Expr.Call call) {
      return call.arguments().isEmpty() ? call.function().names() : names(call.arguments().get(0));
    }
    return value instanceof Expr.MapRead read ? List.of(read.map().name()) : List.of();
  }

  @Override
  public Documentation documentation() {
    return new Documentation("nothing", "Sends a record of the fluent API.", "", "emit(value, …)");
  }
}
