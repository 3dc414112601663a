package dev.ply.bpf.stream;

import dev.ply.bpf.object.EventSite.Formatted;
import dev.ply.render.ConversionWriter;
import dev.ply.result.Renderer;
import dev.ply.table.Datum;
import dev.ply.table.ValueFormat;
import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Conversion;
import dev.ply.text.TextBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Formats values for paths and commands: strings are not escaped. */
public final class RawFormatter {
  private final ItemReader items;
  private final ValueFormat values;

  /** Formats with the conversions of {@code renderer}, unescaped. */
  public RawFormatter(ItemReader items, Renderer renderer) {
    this.items = items;
    this.values = renderer.conversions().raw();
  }

  /** Returns the whole text of a record, encoded as {@link dev.ply.type.TextBytes} does. */
  String text(Formatted site, ByteBuffer memory, int start) {
    PrintfFormat format = PrintfFormat.parse(site.format());
    List<Datum> data = items.read(site, memory, start);
    return data.isEmpty() ? format.literal() : text(format, data);
  }

  /** Returns the text of each conversion; empty where a value is missing. */
  List<String> conversions(Formatted site, ByteBuffer memory, int start) {
    List<Datum> data = items.read(site, memory, start);
    List<String> texts = new ArrayList<>();
    int next = 0;
    for (Conversion conversion : PrintfFormat.parse(site.format()).conversions()) {
      int end = next + conversion.arguments();
      texts.add(
          end > data.size()
              ? ""
              : text(PrintfFormat.parse(conversion.text()), data.subList(next, end)));
      next = end;
    }
    return texts;
  }

  private String text(PrintfFormat format, List<Datum> data) {
    TextBuffer out = new TextBuffer();
    ConversionWriter.append(out, format, data, values);
    return out.toString();
  }
}
