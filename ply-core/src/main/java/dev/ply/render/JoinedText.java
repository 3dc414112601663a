package dev.ply.render;

import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape.Form;
import dev.ply.result.EventShape.Item;
import dev.ply.table.ValueFormat;
import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Conversion;
import dev.ply.text.TextBuffer;
import java.nio.ByteBuffer;
import java.util.List;

/** Writes the strings of a {@code join}, without its newline. */
final class JoinedText implements EventRenderer {
  /**
   * The maximum number of bytes of a string, without its NUL; a string of that length may be
   * truncated.
   */
  private static final int LONGEST = 1024;

  private static final Conversion STRING = PrintfFormat.parse("%s").conversions().get(0);

  /** Written where strings, or the end of one, are missing. */
  private static final String CUT = "..";

  private final String separator;
  private final ValueFormat values;
  private final int sizeOffset;
  private final int cutOffset;
  private final int textOffset;

  JoinedText(Form.Join form, List<Item> items, ValueFormat values) {
    this.separator = form.separator();
    this.values = values;
    this.sizeOffset = offset(items.get(0));
    this.cutOffset = offset(items.get(1));
    this.textOffset = offset(items.get(2));
  }

  private static int offset(Item item) {
    return ((Item.Field) item).offset();
  }

  @Override
  public void render(TextBuffer out, ByteBuffer memory, int start) {
    int end = start + textOffset + memory.getInt(start + sizeOffset);
    int from = start + textOffset;
    while (from < end) {
      out.append(from > start + textOffset ? separator : "");
      int length = length(memory, from, end);
      // A string of the maximum size may be the start of a longer one.
      boolean isWhole = length < LONGEST;
      int shown = isWhole ? length : LONGEST - 1;
      ConversionWriter.append(out, STRING, memory, from, shown, "", values);
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
