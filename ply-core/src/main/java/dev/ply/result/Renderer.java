package dev.ply.result;

import dev.ply.table.Datum;
import dev.ply.table.RowOrder;
import dev.ply.table.Table;
import dev.ply.table.ValueFormat;
import dev.ply.text.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * Writes the results of a trace in one layout. Thread-safe, but for the renderers of events.
 *
 * <p>A renderer gets each {@link Result} in order. Since events are frequent, it prepares itself
 * for those of each call beforehand, and gets their records instead of {@link Result.Event} and
 * {@link Result.Line}; it can write these, too.
 */
public interface Renderer {
  /** {@return the format of values in {@code printf}, paths and commands} */
  ValueFormat conversions();

  /**
   * {@return a writer of the events of a call}
   *
   * @param shape what is known about them
   * @param values decodes the values that are not written directly from the record's memory
   */
  EventRenderer prepare(EventShape shape, EventValues values);

  /**
   * Writes a result.
   *
   * @param out receives the output
   * @param result of any kind
   * @return whether this layout has a place for it; if not, a message reports it
   */
  boolean render(TextBuffer out, Result result);

  /**
   * {@return whether this layout has a place for a result, as {@link #render} returns it, without
   * writing it}
   *
   * @param result of any kind
   */
  default boolean shows(Result result) {
    return render(new TextBuffer(OutputStream.nullOutputStream()), result);
  }

  /**
   * {@return a listener to all results of a trace that writes them to a stream} A file of another
   * viewer is complete when it has received {@link Result.End}.
   *
   * @param stream should be buffered; is flushed at the end, and not closed
   */
  default Consumer<Result> to(OutputStream stream) {
    return result -> {
      TextBuffer out = new TextBuffer(stream);
      boolean unused = render(out, result);
      try {
        out.writeTo(stream);
        if (result instanceof Result.End) {
          stream.flush();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /**
   * {@return the table of the {@code count} rows with the largest values, of distributions those
   * with most; in bpftrace's layout, the rows that it shows last}
   *
   * @param table of a map
   * @param count the maximum number of rows, from 0 up
   */
  default Table<Datum> largest(Table<Datum> table, int count) {
    return Table.last(table, RowOrder.bySize(table), count);
  }
}
