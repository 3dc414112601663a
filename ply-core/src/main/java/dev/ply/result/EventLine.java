package dev.ply.result;

import dev.ply.result.EventShape.Form;
import dev.ply.result.EventShape.Item;
import dev.ply.result.PrintfFormat.Conversion;
import dev.ply.result.PrintfFormat.Literal;
import dev.ply.result.PrintfFormat.Piece;
import dev.ply.type.AddressSpace;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The line of an event, prepared once: numbers and strings go from the event's record to the buffer
 * without allocating.
 */
final class EventLine {
  private final EventShape shape;
  private final TextRenderer layout;
  private final List<EventRenderer> parts = new ArrayList<>();

  private EventLine(EventShape shape, TextRenderer layout) {
    this.shape = shape;
    this.layout = layout;
  }

  /** Returns what writes the events of a shape. */
  static EventRenderer of(EventShape shape, TextRenderer layout) {
    EventLine line = new EventLine(shape, layout);
    if (shape.form() instanceof Form.Print) {
      line.print();
    } else if (shape.form() instanceof Form.Printf printf) {
      line.printf(printf.format(), layout.conversions());
      line.complete(printf.message());
    } else if (shape.form() instanceof Form.Trace trace) {
      line.printf(layout.traceFormat(trace.line()), layout.traceValues());
    } else if (shape.form() instanceof Form.Join join) {
      line.parts.add(new JoinedText(join, shape.items(), layout.conversions()));
      line.complete(Message.JOIN);
    } else if (shape.form() instanceof Form.Emit) {
      return EventRenderer.NONE;
    }
    EventRenderer[] parts = line.parts.toArray(EventRenderer[]::new);
    return (out, event) -> {
      for (EventRenderer part : parts) {
        part.render(out, event);
      }
    };
  }

  private void print() {
    TextRenderer.Frame frame = layout.frame(shape.items().size());
    for (int i = 0; i < shape.items().size(); i++) {
      literal(i == 0 ? frame.begin() : frame.separator());
      parts.add(plain(i));
    }
    literal(frame.end());
  }

  private void printf(PrintfFormat format, ValueFormat values) {
    if (shape.items().isEmpty()) {
      literal(layout.withoutArguments(format));
    } else if (format.conversions().stream().anyMatch(c -> c.arguments() > 1)) {
      // Widths given as arguments are rare.
      parts.add((out, event) -> format.append(out, values(event), values));
    } else {
      int next = 0;
      for (Piece piece : format.pieces()) {
        if (piece instanceof Literal literal) {
          literal(literal.text());
        } else {
          Conversion conversion = (Conversion) piece;
          if (next < shape.items().size()) {
            parts.add(converted(next, conversion, values));
          } else {
            literal(conversion.text());
          }
          next++;
        }
      }
    }
  }

  private List<Datum> values(EventRecord event) {
    List<Datum> values = new ArrayList<>(shape.items().size());
    for (int i = 0; i < shape.items().size(); i++) {
      values.add(event.value(i));
    }
    return values;
  }

  private void literal(String text) {
    byte[] bytes = TextBytes.encode(text);
    parts.add((out, event) -> out.append(bytes));
  }

  private void complete(Message message) {
    parts.add((out, event) -> layout.complete(out, 0, message));
  }

  /** Returns the part that shows an item in its default format. */
  private EventRenderer plain(int item) {
    ValueFormat values = layout.values();
    if (shape.items().get(item) instanceof Item.Field field) {
      int offset = field.offset();
      if (isNumber(field.type())) {
        IntType type = number(field.type());
        return (out, event) ->
            values.appendInt(out, type.read(event.memory(), event.start() + offset), type);
      }
      if (field.type() instanceof PointerType) {
        return (out, event) ->
            values.appendAddress(out, event.memory().getLong(event.start() + offset));
      }
      if (field.type() instanceof ArrayType text && text.isText()) {
        return (out, event) -> {
          ByteBuffer memory = event.memory();
          if (text.isCut(memory, event.start() + offset)) {
            values.append(out, event.value(item));
          } else {
            values.appendText(out, memory, event.start() + offset, text.size());
          }
        };
      }
    }
    return (out, event) -> values.append(out, event.value(item));
  }

  /** Returns the part that shows an item by {@code conversion}. */
  private EventRenderer converted(int item, Conversion conversion, ValueFormat values) {
    if (shape.items().get(item) instanceof Item.Field field) {
      int offset = field.offset();
      if (isNumber(field.type())) {
        IntType type = number(field.type());
        return (out, event) ->
            conversion.append(out, type.read(event.memory(), event.start() + offset), type, values);
      }
      if (field.type() instanceof PointerType) {
        return (out, event) ->
            conversion.appendAddress(out, event.memory().getLong(event.start() + offset), values);
      }
      if (field.type() instanceof ArrayType text && text.isText()) {
        return (out, event) -> {
          ByteBuffer memory = event.memory();
          if (text.isCut(memory, event.start() + offset)) {
            conversion.append(out, event.value(item), values);
          } else {
            conversion.append(out, memory, event.start() + offset, text.size(), values);
          }
        };
      }
    }
    return (out, event) -> conversion.append(out, event.value(item), values);
  }

  /** An untyped address is a number, and prints as one, except for the context. */
  private static boolean isNumber(Type type) {
    return type instanceof IntType integer
        ? integer.isPlainNumber()
        : type instanceof PointerType pointer
            && pointer.target() instanceof VoidType
            && pointer.space() != AddressSpace.CONTEXT;
  }

  private static IntType number(Type type) {
    return type instanceof IntType integer ? integer : IntType.U64;
  }
}
