package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import dev.ply.result.Datum;
import dev.ply.result.DatumFormat;
import dev.ply.result.PrintfFormat;
import dev.ply.result.PrintfFormat.Conversion;
import dev.ply.result.PrintfFormat.Literal;
import dev.ply.result.PrintfFormat.Piece;
import dev.ply.result.Table;
import dev.ply.result.TextBuffer;
import dev.ply.type.TextBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Makes text of the records of {@code print} and {@code printf}. How is worked out once for each
 * place that sends them; then numbers and texts are written from the record's memory to the buffer,
 * and nothing is made that would have to be collected. Not thread-safe.
 */
final class EventPrinter {
  private final ItemPrinter items;
  private final DatumFormat data;
  private final List<List<Part>> bySite = new ArrayList<>();
  private final TextBuffer out = new TextBuffer();

  /** A part of a line. */
  @FunctionalInterface
  interface Part {
    /** Writes the part for the record at {@code start}. */
    void write(TextBuffer out, ByteBuffer memory, int start);
  }

  EventPrinter(
      DatumReader reader,
      DatumFormat data,
      BiFunction<EventSite, String, Table<Datum>> tableByName,
      List<EventSite> sites) {
    this.items = new ItemPrinter(reader, data, tableByName);
    this.data = data;
    sites.forEach(site -> bySite.add(parts(site)));
  }

  /** Returns what the record at {@code start} prints; valid until the next one is asked for. */
  TextBuffer text(EventSite site, ByteBuffer memory, int start) {
    out.clear();
    List<Part> parts = bySite.get(site.id());
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).write(out, memory, start);
    }
    return out;
  }

  private List<Part> parts(EventSite site) {
    if (site instanceof EventSite.Print print) {
      return print(print);
    }
    return site instanceof EventSite.Printf printf ? printf(printf) : List.of();
  }

  /** Values separated by commas, then the end of the line. */
  private List<Part> print(EventSite.Print site) {
    List<Part> parts = new ArrayList<>();
    for (EventSite.Item item : site.items()) {
      if (!parts.isEmpty()) {
        parts.add(literal(", "));
      }
      parts.add(items.plain(site, item));
    }
    parts.add(literal("\n"));
    return parts;
  }

  private List<Part> printf(EventSite.Printf site) {
    PrintfFormat format = PrintfFormat.parse(site.format());
    List<EventSite.Item> values = site.items();
    if (values.isEmpty() || format.conversions().stream().anyMatch(c -> c.arguments() > 1)) {
      // Nothing to convert, or widths that are values themselves, which is rare.
      return List.of(
          (text, memory, start) -> format.append(text, items.data(site, memory, start), data));
    }
    List<Part> parts = new ArrayList<>();
    int next = 0;
    for (Piece piece : format.pieces()) {
      if (piece instanceof Literal literal) {
        parts.add(literal(literal.text()));
      } else if (piece instanceof Conversion conversion) {
        parts.add(
            next < values.size()
                ? items.converted(site, values.get(next), conversion)
                : literal(conversion.text()));
        next++;
      }
    }
    return parts;
  }

  private static Part literal(String text) {
    byte[] bytes = TextBytes.encode(text);
    return (out, memory, start) -> out.append(bytes);
  }
}
