package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite.Join;
import dev.ply.result.PrintfFormat;
import dev.ply.result.PrintfFormat.Conversion;
import dev.ply.result.TextBuffer;
import dev.ply.result.ValueFormat;
import dev.ply.type.StructField;
import java.nio.ByteBuffer;
import java.util.List;

/** Writes the strings of a {@code join}, without its newline. */
final class JoinPrinter implements EventPrinter.Part {
  private static final Conversion STRING = PrintfFormat.parse("%s").conversions().get(0);

  /** Written where strings, or the end of one, are missing. */
  private static final String CUT = "..";

  private final String separator;
  private final ValueFormat values;
  private final int sizeOffset;
  private final int cutOffset;
  private final int textOffset;

  JoinPrinter(Join site, ValueFormat values) {
    List<StructField> fields = site.layout().fields();
    this.separator = site.separator();
    this.values = values;
    this.sizeOffset = fields.get(1).offset();
    this.cutOffset = fields.get(2).offset();
    this.textOffset = fields.get(3).offset();
  }

  @Override
  public void write(TextBuffer out, ByteBuffer memory, int start) {
    int end = start + textOffset + memory.getInt(start + sizeOffset);
    int from = start + textOffset;
    while (from < end) {
      out.append(from > start + textOffset ? separator : "");
      int length = length(memory, from, end);
      // A string of the maximum size may be the start of a longer one.
      boolean isWhole = length < Join.LONGEST;
      STRING.append(out, memory, from, isWhole ? length : Join.LONGEST - 1, values);
      out.append(isWhole ? "" : CUT);
      from += length + 1;
    }
    if (memory.getInt(start + cutOffset) != 0) {
      out.append(separator).append(CUT);
    }
  }

  private static int length(ByteBuffer memory, int from, int end) {
    int at = from;
    while (at < end && memory.get(at) != 0) {
      at++;
    }
    return at - from;
  }
}
