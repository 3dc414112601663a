package dev.ply.table;

import dev.ply.binding.Component;
import dev.ply.binding.ComponentCheck;
import dev.ply.binding.ComponentKind;
import dev.ply.binding.RecordBinding;
import dev.ply.name.Errno;
import dev.ply.name.SystemCall;
import dev.ply.target.Target;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decodes rows to records: components for the parts of the key, then one for the value.
 *
 * @param <R> the record
 */
final class RowDecoder<R extends Record> {
  private final RecordBinding<R> binding;
  private final Optional<Target> target;

  /** Creates a decoder with the symbols and clocks of a target. */
  RowDecoder(Class<R> type, Optional<Target> target) {
    this.binding = RecordBinding.of(type);
    this.target = target;
    binding
        .obstacle()
        .ifPresent(
            obstacle -> {
              throw new IllegalArgumentException(binding.name() + ": " + obstacle);
            });
  }

  /** Returns the record of a row. */
  R decode(Row<?> row) {
    List<Object> values = new ArrayList<>();
    row.key().parts().forEach(part -> addTo(values, part));
    addTo(values, row.value());
    List<Component> components = binding.components();
    if (components.size() != values.size()) {
      throw new IllegalArgumentException(
          binding.name()
              + " has the components "
              + binding.signature()
              + ", a row has the values ("
              + values.stream().map(RowDecoder::shown).collect(Collectors.joining(", "))
              + ")");
    }
    Object[] arguments = new Object[values.size()];
    for (Component component : components) {
      arguments[component.index()] = value(component, values.get(component.index()));
    }
    try {
      return binding.type().cast(binding.constructor().invokeWithArguments(arguments));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the constructor of " + binding.name() + " failed", e);
    }
  }

  /** Adds a value, or the elements of a tuple. */
  private static void addTo(List<Object> values, Object value) {
    if (value instanceof Datum.Tuple tuple) {
      tuple.elements().forEach(element -> addTo(values, element));
    } else {
      values.add(value);
    }
  }

  private static String shown(Object value) {
    return value instanceof Datum datum ? datum.toText() : String.valueOf(value);
  }

  private Object value(Component component, Object value) {
    try {
      return value instanceof Datum datum ? ofDatum(component, datum) : ofResult(component, value);
    } catch (MismatchException e) {
      throw new IllegalArgumentException(
          binding.name() + ", " + component + ": this is " + e.getMessage(), e);
    }
  }

  /** A value that a component does not take; the message says what it is. */
  private static final class MismatchException extends Exception {
    private static final long serialVersionUID = 1L;

    MismatchException(Object value) {
      super(shown(value));
    }
  }

  /** Converts the value of a table of an aggregation. */
  private static Object ofResult(Component component, Object value) throws MismatchException {
    if (value instanceof Long number && component.kind() == ComponentKind.INTEGER) {
      return narrow(component, number);
    }
    if (value instanceof Long number && component.kind() == ComponentKind.DURATION) {
      return Duration.ofNanos(number);
    }
    Class<?> type = MethodType.methodType(component.type()).wrap().returnType();
    if (type.isInstance(value)) {
      return value;
    }
    throw new MismatchException(value);
  }

  private Object ofDatum(Component component, Datum datum) throws MismatchException {
    return switch (component.kind()) {
      case BOOLEAN -> number(datum) != 0;
      case INTEGER -> narrow(component, number(datum));
      case DURATION -> Duration.ofNanos(number(datum));
      case ENUM -> component.numbers().constant(number(datum));
      case ERRNO -> Errno.ofResult(number(datum));
      case SYSTEM_CALL -> systemCall(datum);
      case STRING -> string(datum);
      case INSTANT -> instant(datum);
      case BYTES -> bytes(datum);
      case ADDRESS -> address(datum);
      case STACK -> stack(datum);
      case RECORD, OTHER -> other(component, datum);
    };
  }

  private static long number(Datum datum) throws MismatchException {
    if (datum instanceof Datum.Int integer) {
      return integer.value();
    }
    if (datum instanceof Datum.Address address) {
      return address.value();
    }
    throw new MismatchException(datum);
  }

  private String string(Datum datum) throws MismatchException {
    if (datum instanceof Datum.Text text) {
      return text.text() + text.mark();
    }
    if (datum instanceof Datum.Decoded decoded) {
      return decoded.text();
    }
    if (datum instanceof Datum.Int integer && ComponentCheck.isNamed(integer.type())) {
      return target.map(DatumFormat::new).orElse(DatumFormat.PLAIN).format(datum).strip();
    }
    throw new MismatchException(datum);
  }

  private Object instant(Datum datum) throws MismatchException {
    if (target.isPresent()
        && datum instanceof Datum.Int time
        && (time.type().format().isPointInTime() || time.type().format().isDuration())) {
      return target.get().wallClock().at(time.value()).toInstant();
    }
    throw new MismatchException(datum);
  }

  private SystemCall systemCall(Datum datum) throws MismatchException {
    if (target.isPresent()) {
      return SystemCall.of(target.get().architecture(), number(datum));
    }
    throw new MismatchException(datum);
  }

  private static byte[] bytes(Datum datum) throws MismatchException {
    if (datum instanceof Datum.Text text) {
      return text.bytes().getBytes(StandardCharsets.ISO_8859_1);
    }
    throw new MismatchException(datum);
  }

  /** The string of an address is a literal, which is not looked up. */
  private static InetAddress address(Datum datum) throws MismatchException {
    if (!(datum instanceof Datum.Decoded decoded)) {
      throw new MismatchException(datum);
    }
    try {
      String literal = decoded.text().isEmpty() ? "0.0.0.0" : decoded.text();
      if (!literal.matches("[0-9.]+|[0-9a-f:.]*:[0-9a-f:.]*")) {
        throw new MismatchException(datum);
      }
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new MismatchException(datum);
    }
  }

  private Stack stack(Datum datum) throws MismatchException {
    if (datum.isStack()) {
      return Stack.of(datum, Table.symbols(target));
    }
    throw new MismatchException(datum);
  }

  private static Object other(Component component, Datum datum) throws MismatchException {
    Object result = datum;
    if (datum instanceof Datum.Distribution distribution) {
      result = distribution.histogram();
    } else if (datum instanceof Datum.Buckets buckets) {
      result = buckets.histogram();
    } else if (datum instanceof Datum.Series series) {
      result = series.series();
    } else if (datum instanceof Datum.Stats stats) {
      result = stats.statistics();
    }
    if (component.type().isInstance(result)) {
      return result;
    }
    throw new MismatchException(datum);
  }

  private static Object narrow(Component component, long value) throws MismatchException {
    Class<?> type = component.primitive();
    if (type == long.class) {
      return value;
    }
    if (type == int.class && (int) value == value) {
      return (int) value;
    }
    if (type == short.class && (short) value == value) {
      return (short) value;
    }
    if (type == char.class && (char) value == value) {
      return (char) value;
    }
    if (type == byte.class && (byte) value == value) {
      return (byte) value;
    }
    throw new MismatchException(value + ", which does not fit");
  }
}
