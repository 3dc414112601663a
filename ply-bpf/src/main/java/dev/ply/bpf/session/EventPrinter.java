package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import dev.ply.result.Message;
import dev.ply.result.PrintfFormat;
import dev.ply.result.PrintfFormat.Conversion;
import dev.ply.result.PrintfFormat.Literal;
import dev.ply.result.PrintfFormat.Piece;
import dev.ply.result.ResultFormat;
import dev.ply.result.TextBuffer;
import dev.ply.type.TextBytes;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats the records of {@code print} and {@code printf}. Each event site is prepared once; after
 * that, numbers and strings are written from the record's memory to the buffer without allocating.
 * Not thread-safe.
 */
final class EventPrinter {
  private final ItemPrinter items;
  private final ResultFormat format;
  private final OutputStream stream;
  private final List<List<Part>> bySite = new ArrayList<>();
  private final TextBuffer out = new TextBuffer();

  /** A part of a line. */
  @FunctionalInterface
  interface Part {
    /** Writes the part for the record at {@code start}. */
    void write(TextBuffer out, ByteBuffer memory, int start);
  }

  /**
   * Creates a printer of the records of {@code sites}.
   *
   * @param stream receives the first rows of large maps, whose end {@link #text} returns
   */
  EventPrinter(ItemPrinter items, ResultFormat format, List<EventSite> sites, OutputStream stream) {
    this.stream = stream;
    this.items = items;
    this.format = format;
    sites.forEach(site -> bySite.add(parts(site)));
  }

  /** Returns the output of the record at {@code start}; valid until the next call. */
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
    if (site instanceof EventSite.Join join) {
      return List.of(
          new JoinPrinter(join, format.conversions()),
          (out, memory, start) -> format.complete(out, 0, Message.JOIN));
    }
    return site instanceof EventSite.Printf printf ? printf(printf) : List.of();
  }

  private List<Part> print(EventSite.Print site) {
    if (site.items().size() == 1 && site.items().get(0) instanceof EventSite.Item.WholeMap map) {
      return List.of(items.wholeMap(site, map, stream));
    }
    ResultFormat.Frame frame = format.frame(site.items().size());
    List<Part> parts = new ArrayList<>();
    for (EventSite.Item item : site.items()) {
      parts.add(literal(parts.isEmpty() ? frame.begin() : frame.separator()));
      parts.add(items.plain(site, item));
    }
    parts.add(literal(frame.end()));
    return parts;
  }

  private List<Part> printf(EventSite.Printf site) {
    PrintfFormat conversions = PrintfFormat.parse(site.format());
    List<EventSite.Item> values = site.items();
    List<Part> parts = new ArrayList<>();
    if (values.isEmpty()) {
      parts.add(literal(format.withoutArguments(conversions)));
    } else if (conversions.conversions().stream().anyMatch(c -> c.arguments() > 1)) {
      // Widths given as arguments are rare.
      parts.add(
          (out, memory, start) ->
              conversions.append(out, items.data(site, memory, start), format.conversions()));
    } else {
      parts.addAll(pieces(site, conversions.pieces()));
    }
    parts.add((out, memory, start) -> format.complete(out, 0, site.message()));
    return parts;
  }

  private List<Part> pieces(EventSite.Printf site, List<Piece> pieces) {
    List<EventSite.Item> values = site.items();
    List<Part> parts = new ArrayList<>();
    int next = 0;
    for (Piece piece : pieces) {
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
