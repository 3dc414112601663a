package dev.ply.render;

import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventShape.Form;
import dev.ply.result.EventShape.Item;
import dev.ply.result.EventValues;
import dev.ply.result.Message;
import dev.ply.table.Datum;
import dev.ply.table.ValueFormat;
import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Conversion;
import dev.ply.text.PrintfFormat.Literal;
import dev.ply.text.PrintfFormat.Piece;
import dev.ply.text.TextBuffer;
import dev.ply.type.AddressSpace;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The line of an event, prepared once: numbers and strings go from the event's record to the buffer
 * without allocating.
 */
final class EventLine implements EventRenderer {
  private final EventShape shape;
  private final EventValues decoded;
  private final TextRenderer layout;
  private final List<Part> parts = new ArrayList<>();

  /** The text after the last part. */
  private byte[] end = {};

  /** A value, and the text before it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(byte[] before, EventRenderer value) {}

  private EventLine(EventShape shape, EventValues decoded, TextRenderer layout) {
    this.shape = shape;
    this.decoded = decoded;
    this.layout = layout;
  }

  /** Returns what writes the events of a shape. */
  static EventRenderer of(EventShape shape, EventValues values, TextRenderer layout) {
    EventLine line = new EventLine(shape, values, layout);
    return shape.form().accept(line.new Parts());
  }

  /** Prepares the parts of a line by the call that writes it. */
  private final class Parts implements Form.Visitor<EventRenderer> {
    @Override
    public EventRenderer visit(Form.Print form) {
      print();
      return EventLine.this;
    }

    @Override
    public EventRenderer visit(Form.Printf form) {
      printf(form.format(), layout.conversions());
      complete(form.message());
      return EventLine.this;
    }

    @Override
    public EventRenderer visit(Form.Trace form) {
      printf(layout.traceFormat(form.line()), layout.traceValues());
      return EventLine.this;
    }

    @Override
    public EventRenderer visit(Form.Join form) {
      add(new JoinedText(form, shape.items(), layout.conversions()));
      complete(Message.JOIN);
      return EventLine.this;
    }

    @Override
    public EventRenderer visit(Form.Emit form) {
      return EventRenderer.NONE;
    }
  }

  @Override
  public void render(TextBuffer out, ByteBuffer memory, int start) {
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      out.append(part.before());
      part.value().render(out, memory, start);
    }
    out.append(end);
  }

  private void print() {
    int count = shape.items().size();
    TextRenderer.Frame frame = layout.frame(count);
    for (int i = 0; i < count; i++) {
      literal(i == 0 ? frame.begin() : frame.separator());
      add(layout.cell(i, count, shape.items().get(i), plain(i)));
    }
    literal(frame.end());
  }

  private void printf(PrintfFormat format, ValueFormat values) {
    if (shape.items().isEmpty()) {
      literal(layout.withoutArguments(format));
    } else if (format.conversions().stream().anyMatch(c -> c.arguments() > 1)) {
      // Widths given as arguments are rare.
      add(
          (out, memory, start) ->
              ConversionWriter.append(out, format, values(memory, start), values));
    } else {
      int next = 0;
      for (Piece piece : format.pieces()) {
        if (piece instanceof Literal literal) {
          literal(literal.text());
        } else {
          Conversion conversion = (Conversion) piece;
          if (next < shape.items().size()) {
            add(converted(next, conversion, values));
          } else {
            literal(conversion.text());
          }
          next++;
        }
      }
    }
  }

  private List<Datum> values(ByteBuffer memory, int start) {
    List<Datum> values = new ArrayList<>(shape.items().size());
    for (int i = 0; i < shape.items().size(); i++) {
      values.add(decoded.value(i, memory, start));
    }
    return values;
  }

  private void literal(String text) {
    byte[] more = TextBytes.encode(text);
    int before = end.length;
    end = Arrays.copyOf(end, before + more.length);
    System.arraycopy(more, 0, end, before, more.length);
  }

  private void add(EventRenderer value) {
    parts.add(new Part(end, value));
    end = new byte[0];
  }

  private void complete(Message message) {
    add((out, memory, start) -> layout.complete(out, 0, message));
  }

  /** Returns the part that shows an item in its default format. */
  private EventRenderer plain(int item) {
    ValueFormat values = layout.values();
    if (shape.items().get(item) instanceof Item.Field field) {
      int offset = field.offset();
      if (isNumber(field.type())) {
        IntType type = number(field.type());
        return (out, memory, start) ->
            values.appendInt(out, type.read(memory, start + offset), type);
      }
      if (field.type() instanceof PointerType) {
        return (out, memory, start) -> values.appendAddress(out, memory.getLong(start + offset));
      }
      if (field.type() instanceof ArrayType text && text.isText()) {
        return (out, memory, start) -> {
          if (text.isCut(memory, start + offset)) {
            values.append(out, decoded.value(item, memory, start));
          } else {
            values.appendText(out, memory, start + offset, text.size());
          }
        };
      }
    }
    return (out, memory, start) -> values.append(out, decoded.value(item, memory, start));
  }

  /** Returns the part that shows an item by {@code conversion}. */
  private EventRenderer converted(int item, Conversion conversion, ValueFormat values) {
    if (shape.items().get(item) instanceof Item.Field field) {
      int offset = field.offset();
      if (isNumber(field.type())) {
        IntType type = number(field.type());
        return (out, memory, start) ->
            ConversionWriter.append(
                out, conversion, type.read(memory, start + offset), type, values);
      }
      if (field.type() instanceof PointerType) {
        return (out, memory, start) ->
            ConversionWriter.appendAddress(out, conversion, memory.getLong(start + offset), values);
      }
      if (field.type() instanceof ArrayType text && text.isText()) {
        return (out, memory, start) -> {
          if (text.isCut(memory, start + offset)) {
            ConversionWriter.append(out, conversion, decoded.value(item, memory, start), values);
          } else {
            ConversionWriter.append(
                out, conversion, memory, start + offset, text.size(), "", values);
          }
        };
      }
    }
    return (out, memory, start) ->
        ConversionWriter.append(out, conversion, decoded.value(item, memory, start), values);
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
