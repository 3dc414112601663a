package dev.ply.lang.events.translate;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventLocation;
import dev.ply.lang.events.Fetch;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.lang.events.translate.EventField.FilterValue;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The fields of a tracepoint's record, as fetch arguments and conditions read them. */
final class RecordFields implements FilterFields {
  private final EventDefinition event;
  private final Target target;
  private final Problems problems;

  RecordFields(EventDefinition event, Target target, Problems problems) {
    this.event = event;
    this.target = target;
    this.problems = problems;
  }

  private EventLocation.Event place() {
    return (EventLocation.Event) event.location();
  }

  private List<TracepointFormat.Field> fields() {
    return target.tracepoints().find(place().category(), place().name()).stream()
        .flatMap(format -> format.fields().stream())
        .toList();
  }

  /** Returns a field; one that the record lacks is an error. */
  TracepointFormat.Field find(String name, SourceSpan span) throws Reported {
    return fields().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                problems.error(
                    ProbeError.BAD_VAR,
                    span,
                    Problems.nearest(
                        name,
                        names().stream(),
                        place().text() + " has " + String.join(", ", names()))));
  }

  /** Returns the field that {@code $comm} means, or what it means elsewhere. */
  Fetch resolved(Fetch value, SourceSpan span) {
    return value instanceof Fetch.ThreadName
            && event.location() instanceof EventLocation.Event
            && fields().stream().anyMatch(field -> field.name().equals("comm"))
        ? new Fetch.Field("comm", span)
        : value;
  }

  /** Checks that the event has the fields that an argument reads. */
  void check(Nodes nodes, Fetch value) throws Reported {
    if (value instanceof Fetch.Field field) {
      TracepointFormat.Field known = find(field.name(), field.span());
      if (isString(known)) {
        throw problems.error(
            nodes.span(),
            "programs do not see where the record has $" + field.name(),
            "its value is $" + field.name() + ":string");
      }
      if (known.type() instanceof ArrayType array && firstBytes(array).isEmpty()) {
        throw problems.error(
            nodes.span(),
            "$" + field.name() + " is an array of " + array.size() + " bytes, and no number",
            "arrays of 1, 2, 4 and of 8 bytes or more are numbers");
      }
    } else if (value instanceof Fetch.Dereference outer) {
      check(nodes, outer.address());
    }
  }

  /** Returns whether a field is a string in the record, which the kernel tells by its words. */
  boolean isString(TracepointFormat.Field field) {
    boolean isCharacters =
        target.tracepoints().declarations(place().category(), place().name()).stream()
            .filter(declared -> declared.matches(".*\\b" + field.name() + "\\b.*"))
            .allMatch(declared -> declared.contains("char"));
    return isCharacters && (field.type() instanceof ArrayType || isDynamic(field));
  }

  private static boolean isDynamic(TracepointFormat.Field field) {
    return field.type() instanceof Type.IntType word && word.format() == IntFormat.DATA_LOCATION;
  }

  /** Returns the string of a field of characters. */
  Expr text(Nodes nodes, TracepointFormat.Field field) {
    Expr value = nodes.arrow(nodes.call(ContextBuiltins.DATA), field.name());
    return isDynamic(field) ? nodes.call(MemoryBuiltins.DYN, value) : value;
  }

  /** Returns how many bytes of an array the kernel takes for its value. */
  private static OptionalInt firstBytes(ArrayType array) {
    int bytes = array.element() instanceof Type.IntType ? array.size() : 0;
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes >= Long.BYTES
        ? OptionalInt.of(Math.min(bytes, Long.BYTES))
        : OptionalInt.empty();
  }

  /** Returns a field's value in 64 bits; an array's are its first bytes. */
  Expr word(Nodes nodes, Fetch.Field field) {
    Expr member = nodes.arrow(nodes.call(ContextBuiltins.DATA), field.name());
    Optional<Type> type =
        target
            .tracepoints()
            .find(place().category(), place().name())
            .flatMap(format -> format.field(field.name()))
            .map(TracepointFormat.Field::type);
    if (type.isPresent() && type.get() instanceof ArrayType array) {
      return nodes.cast("uint64", 0, firstWord(nodes, member, array));
    }
    Optional<Type.IntType> narrow =
        type.filter(one -> isWord(field.name()))
            .filter(Type.IntType.class::isInstance)
            .map(Type.IntType.class::cast)
            .filter(one -> one.isSigned() && one.bytes() < Long.BYTES);
    Expr value =
        narrow.isPresent()
            ? nodes.cast(Nodes.unsigned(Byte.SIZE * narrow.get().bytes()), 0, member)
            : member;
    return nodes.cast("uint64", 0, value);
  }

  private Expr firstWord(Nodes nodes, Expr member, ArrayType array) {
    int bytes = array.element().size();
    int count = firstBytes(array).orElseThrow() / bytes;
    boolean isBigEndian = target.architecture().byteOrder() == ByteOrder.BIG_ENDIAN;
    Expr word = nodes.number(0);
    for (int i = 0; i < count; i++) {
      Expr element = nodes.element(member, i);
      Expr part =
          bytes == Long.BYTES
              ? element
              : nodes.cast("uint64", 0, nodes.cast(Nodes.unsigned(Byte.SIZE * bytes), 0, element));
      int shift = Byte.SIZE * bytes * (isBigEndian ? count - 1 - i : i);
      Expr shifted = shift == 0 ? part : nodes.binary(BinaryOp.SHL, part, nodes.number(shift));
      word = i == 0 ? shifted : nodes.binary(BinaryOp.OR, word, shifted);
    }
    return word;
  }

  @Override
  public Optional<FilterValue> find(String name, boolean isUser, SourceSpan span) throws Reported {
    Optional<TracepointFormat.Field> known =
        fields().stream().filter(field -> field.name().equals(name)).findFirst();
    if (known.isEmpty()) {
      return Optional.empty();
    }
    Nodes nodes = new Nodes(span);
    if (isString(known.get())) {
      return Optional.of(new FilterValue(text(nodes, known.get()), true));
    }
    if (known.get().type() instanceof ArrayType) {
      throw problems.error(span, "\"" + name + "\" is an array", "filters compare values");
    }
    boolean isAddress = isUser && known.get().type() instanceof Type.PointerType;
    if (isAddress || isText(known.get())) {
      Expr address = word(nodes, new Fetch.Field(name, span));
      Expr typed = nodes.call(isUser ? MemoryBuiltins.UPTR : MemoryBuiltins.KPTR, address);
      Expr text = nodes.call(MemoryBuiltins.STR, typed, nodes.number(EventField.STRING_BYTES));
      return Optional.of(new FilterValue(text, true));
    }
    if (isUser) {
      throw problems.error(span, "\"" + name + "\" is no string", "compare it with a number");
    }
    Expr member = nodes.arrow(nodes.call(ContextBuiltins.DATA), name);
    boolean isNumber = known.get().type() instanceof Type.IntType && !isWord(name);
    return Optional.of(
        new FilterValue(isNumber ? member : word(nodes, new Fetch.Field(name, span)), false));
  }

  /** Returns whether a field is an address of characters. */
  private boolean isText(TracepointFormat.Field field) {
    return target.tracepoints().declarations(place().category(), place().name()).stream()
        .anyMatch(declared -> declared.matches("(const )?char ?\\* ?" + field.name()));
  }

  @Override
  public List<String> names() {
    return fields().stream().map(TracepointFormat.Field::name).toList();
  }

  /** Arguments of system calls occupy a word each, whatever their type. */
  private boolean isWord(String field) {
    return place().category().equals("syscalls")
        && place().name().startsWith("sys_enter_")
        && !field.equals("__syscall_nr");
  }
}
