package dev.ply.lang.events;

import dev.ply.builtin.ContextBuiltins;
import dev.ply.ir.Expr;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import java.util.List;
import java.util.Optional;

/** The fields of a tracepoint's record, as fetch arguments read them. */
final class RecordFields {
  private final EventDefinition event;
  private final Target target;
  private final Problems problems;

  RecordFields(EventDefinition event, Target target, Problems problems) {
    this.event = event;
    this.target = target;
    this.problems = problems;
  }

  /** Returns a field; one that the record lacks is an error. */
  TracepointFormat.Field find(Nodes nodes, Fetch.Field field) throws Reported {
    EventLocation.Event place = (EventLocation.Event) event.location();
    List<TracepointFormat.Field> fields =
        target.tracepoints().find(place.category(), place.name()).stream()
            .flatMap(format -> format.fields().stream())
            .toList();
    return fields.stream()
        .filter(one -> one.name().equals(field.name()))
        .findFirst()
        .orElseThrow(
            () ->
                problems.error(
                    ProbeError.BAD_VAR,
                    nodes.span(),
                    Problems.nearest(
                        field.name(),
                        fields.stream().map(TracepointFormat.Field::name),
                        place.text()
                            + " has "
                            + String.join(
                                ", ",
                                fields.stream().map(TracepointFormat.Field::name).toList()))));
  }

  /** Checks that the event has the fields that an argument reads. */
  void check(Nodes nodes, Fetch value) throws Reported {
    if (value instanceof Fetch.Field field) {
      TracepointFormat.Field known = find(nodes, field);
      if (known.type() instanceof ArrayType || isString(known)) {
        throw problems.error(
            nodes.span(),
            "programs do not see where the record has $" + field.name(),
            "its value is $" + field.name() + ":string, if it is a string");
      }
    } else if (value instanceof Fetch.Dereference outer) {
      check(nodes, outer.address());
    }
  }

  /** Returns whether a field is a string in the record. */
  static boolean isString(TracepointFormat.Field field) {
    return field.type() instanceof ArrayType array
        ? array.element() instanceof Type.IntType character && character.bytes() == 1
        : field.type() instanceof Type.IntType word && word.format() == IntFormat.DATA_LOCATION;
  }

  /** Returns a field's value in 64 bits. */
  Expr word(Nodes nodes, Fetch.Field field) {
    Expr member = nodes.member(nodes.call(ContextBuiltins.DATA), true, field.name());
    EventLocation.Event place = (EventLocation.Event) event.location();
    Optional<Type.IntType> narrow =
        target
            .tracepoints()
            .find(place.category(), place.name())
            .flatMap(format -> format.field(field.name()))
            .filter(this::isWord)
            .map(TracepointFormat.Field::type)
            .filter(Type.IntType.class::isInstance)
            .map(Type.IntType.class::cast)
            .filter(type -> type.isSigned() && type.bytes() < Long.BYTES);
    Expr value =
        narrow.isPresent()
            ? nodes.cast(Nodes.unsigned(Byte.SIZE * narrow.get().bytes()), 0, member)
            : member;
    return nodes.cast("uint64", 0, value);
  }

  /** Arguments of system calls occupy a word each, whatever their type. */
  private boolean isWord(TracepointFormat.Field field) {
    EventLocation.Event place = (EventLocation.Event) event.location();
    return place.category().equals("syscalls")
        && place.name().startsWith("sys_enter_")
        && !field.name().equals("__syscall_nr");
  }
}
