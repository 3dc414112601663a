package dev.ply.bpf.object;

import dev.ply.binding.Component;
import dev.ply.builtin.aggregate.EmitFunction;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.result.EventShape;
import dev.ply.result.EventShape.Form;
import dev.ply.result.Message;
import dev.ply.result.TraceLine;
import dev.ply.text.PrintfFormat;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A call in a script that sends events to user space, and the layout of its records.
 *
 * <p>A record is a structure whose field 0 is the site's 32-bit number.
 */
public sealed interface EventSite {
  /** {@return the number of this site in records, counted from 0} */
  int id();

  /** {@return the layout of a record} */
  StructType layout();

  /** {@return its position in the source, if it is kept} */
  default SourceSpan span() {
    return SourceSpan.NONE;
  }

  /** {@return what is known about the events of this site, if they are results} */
  default Optional<EventShape> shape() {
    return Optional.empty();
  }

  /**
   * Has a record of this site handled.
   *
   * @param handler that of the site's kind
   * @param memory where the record is
   * @param start the offset of its first byte
   * @param length in bytes
   */
  void accept(Handler handler, ByteBuffer memory, int start, int length);

  /** Handles records by the kind of their site, without garbage: one is for all records. */
  interface Handler {
    /** Handles values to print. */
    void handle(Print site, ByteBuffer memory, int start, int length);

    /** Handles values to print by a format. */
    void handle(Printf site, ByteBuffer memory, int start, int length);

    /** Handles the hit of a probe event. */
    void handle(Trace site, ByteBuffer memory, int start, int length);

    /** Handles a message of the script. */
    void handle(Report site, ByteBuffer memory, int start, int length);

    /** Handles a command to run. */
    void handle(Command site, ByteBuffer memory, int start, int length);

    /** Handles a file to print. */
    void handle(File site, ByteBuffer memory, int start, int length);

    /** Handles strings to print. */
    void handle(Join site, ByteBuffer memory, int start, int length);

    /** Handles the record of a probe. */
    void handle(Emit site, ByteBuffer memory, int start, int length);

    /** Handles a map to clear. */
    void handle(Clear site, ByteBuffer memory, int start, int length);

    /** Handles a map to set to zeroes. */
    void handle(Zero site, ByteBuffer memory, int start, int length);

    /** Handles the end of the trace. */
    void handle(Exit site, ByteBuffer memory, int start, int length);

    /** Handles a packet. */
    void handle(Packet site, ByteBuffer memory, int start, int length);

    /** Handles a watchpoint to remove. */
    void handle(Unwatch site, ByteBuffer memory, int start, int length);

    /** Handles a process whose stacks follow. */
    void handle(NewProcess site, ByteBuffer memory, int start, int length);

    /** Handles a process whose unwind tables are missing. */
    void handle(MissingTables site, ByteBuffer memory, int start, int length);

    /** Handles an operation that failed. */
    void handle(Failure site, ByteBuffer memory, int start, int length);
  }

  /**
   * {@code print(…)}.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param items the values to print, in order
   */
  record Print(int id, StructType layout, List<EventItem> items, SourceSpan span)
      implements EventSite {
    /** Copies the items. */
    public Print {
      items = List.copyOf(items);
    }

    @Override
    public Optional<EventShape> shape() {
      return Optional.of(new EventShape(new Form.Print(), EventItem.shapes(layout, items)));
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /** A call whose first argument is a format. */
  sealed interface Formatted extends EventSite {
    /** {@return the format} */
    String format();

    /** {@return the values of its conversions} */
    List<EventItem> items();
  }

  /**
   * {@code printf(format, …)}.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param items the values to print, in order
   * @param message {@code PRINTF}, or {@code TIME} for {@code time(format)}
   */
  record Printf(int id, StructType layout, String format, List<EventItem> items, Message message)
      implements Formatted {
    /** Copies the items. */
    public Printf {
      items = List.copyOf(items);
    }

    @Override
    public Optional<EventShape> shape() {
      return Optional.of(
          new EventShape(
              new Form.Printf(PrintfFormat.parse(format), message),
              EventItem.shapes(layout, items)));
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * A hit of a probe event.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param format the format of the line as text
   * @param items the values to print, in order
   * @param line what they are
   */
  record Trace(int id, StructType layout, String format, List<EventItem> items, TraceLine line)
      implements Formatted {
    /** Copies the items. */
    public Trace {
      items = List.copyOf(items);
    }

    @Override
    public Optional<EventShape> shape() {
      return Optional.of(new EventShape(new Form.Trace(line), EventItem.shapes(layout, items)));
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code errorf(format, …)}, {@code warnf(format, …)}.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param items the values to print, in order
   * @param severity of the report
   */
  record Report(
      int id,
      StructType layout,
      String format,
      List<EventItem> items,
      Severity severity,
      SourceSpan span)
      implements Formatted {
    /** Copies the items. */
    public Report {
      items = List.copyOf(items);
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code system(format, …)}.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param items the values to print, in order
   */
  record Command(int id, StructType layout, String format, List<EventItem> items, SourceSpan span)
      implements Formatted {
    /** Copies the items. */
    public Command {
      items = List.copyOf(items);
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code cat(format, …)}.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param items the values to print, in order
   * @param limit the maximum number of bytes to print
   */
  record File(
      int id, StructType layout, String format, List<EventItem> items, int limit, SourceSpan span)
      implements Formatted {
    /** Copies the items. */
    public File {
      items = List.copyOf(items);
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code join(array, separator)}; field 1 is the size of the strings in bytes, field 2 is 1 if
   * strings are missing, field 3 are the strings, each with its NUL.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param separator between two strings
   */
  record Join(int id, StructType layout, String separator) implements EventSite {
    /** The maximum number of strings. */
    public static final int STRINGS = 64;

    /**
     * The maximum number of bytes of a string, without its NUL; a string of that length may be
     * truncated.
     */
    public static final int LONGEST = 1024;

    /** The size of the strings from which no more are added. */
    public static final int FULL = 4096;

    private static final int CAPACITY = FULL + LONGEST + Long.BYTES;

    /**
     * Creates a site with the layout of its records, of which the end can be missing.
     *
     * @param id its number, which is in the first field of its records
     * @param separator between two strings
     */
    public Join(int id, String separator) {
      this(
          id,
          StructType.ofKeyParts(
              List.of(IntType.U32, IntType.U32, IntType.U32, ArrayType.chars(CAPACITY))),
          separator);
    }

    @Override
    public Optional<EventShape> shape() {
      return Optional.of(
          new EventShape(
              new Form.Join(separator),
              List.of(
                  EventItem.of(layout, "size", 1),
                  EventItem.of(layout, "cut", 2),
                  EventItem.of(layout, "strings", 3))));
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code emit} of the fluent API.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param function of the probe that sends; fields from 1 up are the record's components
   */
  record Emit(int id, StructType layout, EmitFunction<?> function) implements EventSite {
    @Override
    public Optional<EventShape> shape() {
      List<EventShape.Item> items = new ArrayList<>();
      for (Component component : function.binding().components()) {
        items.add(EventItem.of(layout, component.name(), items.size() + 1));
      }
      return Optional.of(new EventShape(new Form.Emit(function.binding().name()), items));
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code clear(map)}.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param map its name, with its {@code @}
   * @param shownBy the site that has just printed the map: only what it printed is cleared
   */
  record Clear(int id, StructType layout, String map, OptionalInt shownBy) implements EventSite {
    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code zero(map)}.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param map its name, with its {@code @}
   * @param shownBy the site that has just printed the map: only what it printed is cleared
   */
  record Zero(int id, StructType layout, String map, OptionalInt shownBy) implements EventSite {
    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code exit(status)}; field 1 is the status.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   */
  record Exit(int id, StructType layout) implements EventSite {
    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code skboutput(path, packet, length, offset)}; field 1 is the length, field 2 the time since
   * boot in ns. The packet's bytes follow, as far as they fit, and padding.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param path of the file
   * @param offset the number of bytes that are left out at the packet's start
   */
  record Packet(int id, StructType layout, String path, int offset) implements EventSite {
    /**
     * Creates a site with the layout of its records.
     *
     * @param id its number, which is in the first field of its records
     * @param path of the file
     * @param offset the number of bytes that are left out at the packet's start
     */
    public Packet(int id, String path, int offset) {
      this(id, StructType.ofKeyParts(List.of(IntType.U32, IntType.U32, IntType.U64)), path, offset);
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * {@code unwatch(address)}; field 1 is the address.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   */
  record Unwatch(int id, StructType layout) implements EventSite {
    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * The first user stack of a process; field 1 is its PID.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   */
  record NewProcess(int id, StructType layout) implements EventSite {
    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * A process that programs have no unwind tables of, or whose code is not where it was: it was
   * added to those that are wanted.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   */
  record MissingTables(int id, StructType layout) implements EventSite {
    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }

  /**
   * An operation that can fail while a program runs. Field 1 of a record is the helper's result,
   * field 2 how often it has failed here; there is a record when that number is a power of two.
   *
   * @param id its number, which is in the first field of its records
   * @param layout the fields of its records
   * @param cause what fails
   */
  record Failure(int id, StructType layout, FailureCause cause, SourceSpan span)
      implements EventSite {
    /** The size of a site's counter in {@link BpfObject#ERRORS}: failures, and the last result. */
    public static final int COUNTER = 2 * Long.BYTES;

    /**
     * Creates a site with the layout of its records.
     *
     * @param id its number, which is in the first field of its records
     * @param cause what fails
     */
    public Failure(int id, FailureCause cause, SourceSpan span) {
      this(id, StructType.ofKeyParts(List.of(IntType.U32, IntType.S32, IntType.U64)), cause, span);
    }

    @Override
    public void accept(Handler handler, ByteBuffer memory, int start, int length) {
      handler.handle(this, memory, start, length);
    }
  }
}
