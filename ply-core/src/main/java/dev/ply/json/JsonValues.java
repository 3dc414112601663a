package dev.ply.json;

import dev.ply.render.BpftraceFormat;
import dev.ply.render.BpftraceValues;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.Statistics;
import dev.ply.table.ValueFormat;
import dev.ply.text.Escaping;
import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes values as JSON: numbers, strings, arrays for tuples, objects for structures. Symbols and
 * stack traces are strings, as in bpftrace.
 */
public final class JsonValues implements ValueFormat {
  private final BpftraceValues text;
  private final boolean hasArrays;

  /** Creates a writer; {@code text} formats symbols and stack traces. */
  public JsonValues(BpftraceValues text) {
    this(text, false);
  }

  private JsonValues(BpftraceValues text, boolean hasArrays) {
    this.text = text;
    this.hasArrays = hasArrays;
  }

  /**
   * Returns this writer with rows that are objects, whose keys are arrays, and stack traces that
   * are arrays of frames: nothing that a reader has to take apart.
   */
  public JsonValues withArrays() {
    return new JsonValues(text, true);
  }

  @Override
  public JsonValues raw() {
    return this;
  }

  @Override
  public Escaping escaping() {
    return Escaping.NONE;
  }

  @Override
  public void append(TextBuffer out, Datum datum) {
    TextBuffer unused = datum.accept(new Writer(out));
  }

  /** Writes a value; as the string of the text layout if JSON has no type for it. */
  private final class Writer implements Datum.Visitor<TextBuffer> {
    private final TextBuffer out;

    Writer(TextBuffer out) {
      this.out = out;
    }

    @Override
    public TextBuffer visit(Datum.Int value) {
      appendInt(out, value.value(), value.type());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Address value) {
      appendAddress(out, value.value());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Text value) {
      appendString(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Decoded value) {
      appendShown(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Bytes value) {
      appendShown(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Quoted value) {
      appendQuoted(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Real value) {
      if (Double.isFinite(value.value())) {
        return out.append(value.text());
      }
      appendShown(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Elements value) {
      appendArray(out, value.elements());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Struct value) {
      appendStruct(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Tuple value) {
      appendArray(out, value.elements());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Stack value) {
      if (hasArrays) {
        appendFrames(out, frames(value));
      } else {
        appendShown(out, value);
      }
      return out;
    }

    @Override
    public TextBuffer visit(Datum.UserStack value) {
      if (hasArrays) {
        appendFrames(out, frames(value));
      } else {
        appendShown(out, value);
      }
      return out;
    }

    @Override
    public TextBuffer visit(Datum.MissingStack value) {
      appendShown(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.BothStacks value) {
      if (hasArrays && !value.present().isEmpty()) {
        appendFrames(out, value.present().stream().flatMap(JsonValues::frames));
      } else {
        appendShown(out, value);
      }
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Distribution value) {
      JsonHistogram.append(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Buckets value) {
      JsonHistogram.append(out, value.histogram());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Series value) {
      JsonSeries.append(out, value.series(), text.clock());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Stats value) {
      appendStatistics(out, value.statistics());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Dump value) {
      appendMap(out, value.map());
      return out;
    }
  }

  /** Writes stack traces of one frame each as an array of strings. */
  private void appendFrames(TextBuffer out, Stream<Datum> frames) {
    out.append('[');
    String separator = "";
    for (Datum frame : (Iterable<Datum>) frames::iterator) {
      TextBuffer shown = new TextBuffer();
      text.append(shown, frame);
      out.append(separator);
      JsonString.append(out, stripped(shown.cut(0)));
      separator = ", ";
    }
    out.append(']');
  }

  /** Returns a line without the space around it. */
  private static byte[] stripped(byte[] line) {
    int start = 0;
    int end = line.length;
    while (start < end && isSpace(line[start])) {
      start++;
    }
    while (end > start && isSpace(line[end - 1])) {
      end--;
    }
    return Arrays.copyOfRange(line, start, end);
  }

  private static boolean isSpace(byte character) {
    return character == ' ' || character == '\t' || character == '\n';
  }

  private static void appendQuoted(TextBuffer out, Datum.Quoted quoted) {
    if (quoted.text().isEmpty()) {
      out.append("null");
    } else {
      JsonString.append(out, quoted.text().get());
    }
  }

  private static void appendStatistics(TextBuffer out, Statistics statistics) {
    boolean signed = statistics.valueType().isSigned();
    out.append("{\"count\": ");
    appendNumber(out, statistics.count(), false);
    out.append(", \"average\": ");
    appendNumber(out, statistics.average(), signed);
    out.append(", \"total\": ");
    appendNumber(out, statistics.total(), signed);
    out.append('}');
  }

  @Override
  public void appendInt(TextBuffer out, long value, IntType type) {
    if (text.showsTruth(type)) {
      text.appendInt(out, value, type);
    } else if (isNamed(type.format())) {
      appendShown(out, new Datum.Int(value, type));
    } else {
      appendNumber(out, value, type.isSigned());
    }
  }

  @Override
  public void appendAddress(TextBuffer out, long address) {
    appendNumber(out, address, false);
  }

  @Override
  public void appendSymbol(TextBuffer out, long address) {
    text.appendSymbol(out, address);
  }

  @Override
  public void appendText(TextBuffer out, ByteBuffer bytes, int start, int size) {
    byte[] string = new byte[DatumFormat.textLength(bytes, start, size)];
    bytes.get(start, string);
    JsonString.append(out, string);
  }

  /** Writes an object with a map's name and content. */
  void appendMap(TextBuffer out, NamedTable map) {
    out.append('{');
    JsonString.append(out, map.name());
    out.append(": ");
    List<Row<Datum>> rows = BpftraceFormat.rows(map.table());
    if (rows.size() == 1 && rows.get(0).key().parts().isEmpty()) {
      append(out, rows.get(0).value());
    } else if (hasArrays) {
      appendRowObjects(out, rows);
    } else {
      appendRows(out, rows);
    }
    out.append('}');
  }

  private void appendRowObjects(TextBuffer out, List<Row<Datum>> rows) {
    out.append('[');
    for (int i = 0; i < rows.size(); i++) {
      out.append(i > 0 ? ", {\"key\": " : "{\"key\": ");
      appendArray(out, rows.get(i).key().parts());
      out.append(", \"value\": ");
      append(out, rows.get(i).value());
      out.append('}').spill();
    }
    out.append(']');
  }

  private void appendRows(TextBuffer out, List<Row<Datum>> rows) {
    out.append('{');
    for (int i = 0; i < rows.size(); i++) {
      out.append(i > 0 ? ", " : "");
      JsonString.append(out, key(rows.get(i).key()));
      out.append(": ");
      append(out, rows.get(i).value());
      out.spill();
    }
    out.append('}');
  }

  /** Returns a key's components, separated by commas without spaces. */
  private byte[] key(Key key) {
    TextBuffer out = new TextBuffer();
    for (Datum part : key.parts()) {
      out.append(out.length() > 0 ? "," : "");
      appendKeyPart(out, part);
    }
    return out.cut(0);
  }

  private void appendKeyPart(TextBuffer out, Datum part) {
    if (part instanceof Datum.Tuple tuple) {
      out.append('(');
      for (int i = 0; i < tuple.elements().size(); i++) {
        out.append(i > 0 ? "," : "");
        appendKeyPart(out, tuple.elements().get(i));
      }
      out.append(')');
    } else {
      text.append(out, part);
    }
  }

  private void appendArray(TextBuffer out, List<Datum> elements) {
    out.append('[');
    for (int i = 0; i < elements.size(); i++) {
      out.append(i > 0 ? "," : "");
      append(out, elements.get(i));
    }
    out.append(']');
  }

  private void appendStruct(TextBuffer out, Datum.Struct struct) {
    if (struct.type().tag().isEmpty()) {
      appendArray(out, struct.fields());
      return;
    }
    out.append('{');
    for (int i = 0; i < struct.fields().size(); i++) {
      out.append(i > 0 ? ", " : "");
      JsonString.append(out, struct.type().fields().get(i).name());
      out.append(": ");
      append(out, struct.fields().get(i));
    }
    out.append('}');
  }

  /** Writes a character array as a string, with its mark if it was cut. */
  private void appendString(TextBuffer out, Datum.Text string) {
    String shown = string.bytes();
    if (string.isCut()) {
      byte[] mark = string.mark().getBytes(StandardCharsets.UTF_8);
      shown =
          shown.substring(0, shown.length() - 1) + new String(mark, StandardCharsets.ISO_8859_1);
    }
    byte[] bytes = shown.getBytes(StandardCharsets.ISO_8859_1);
    appendText(out, ByteBuffer.wrap(bytes), 0, bytes.length);
  }

  /** Writes a value as a string, as text layouts show it. */
  private void appendShown(TextBuffer out, Datum datum) {
    TextBuffer shown = new TextBuffer();
    text.append(shown, datum);
    JsonString.append(out, shown.cut(0));
  }

  private static boolean isNamed(IntFormat format) {
    return switch (format) {
      case DECIMAL,
          BOOLEAN,
          AVERAGE,
          CHARACTER,
          PROBE,
          PID,
          UID,
          CPU,
          HEX,
          DURATION,
          DURATION_SUM,
          DURATION_AVERAGE,
          SINCE_BOOT,
          FLOATING_POINT,
          DATA_LOCATION ->
          false;
      default -> true;
    };
  }

  /** Returns the frames of a stack, each as a stack of its own. */
  private static Stream<Datum> frames(Datum stack) {
    if (stack instanceof Datum.Stack kernel) {
      return kernel.addresses().stream()
          .map(frame -> new Datum.Stack(kernel.id(), List.of(frame), kernel.mode()));
    } else if (stack instanceof Datum.UserStack user) {
      return user.frames().stream()
          .map(
              frame -> new Datum.UserStack(user.process(), user.id(), List.of(frame), user.mode()));
    }
    return Stream.of(stack);
  }

  private static void appendNumber(TextBuffer out, long value, boolean signed) {
    if (signed) {
      out.append(value);
    } else {
      out.appendUnsigned(value);
    }
  }
}
