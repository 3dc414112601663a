package dev.ply.table;

import dev.ply.target.UserSymbols;
import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A value read from the kernel, with its type. */
public sealed interface Datum {
  /**
   * Calls the visitor's method for this kind of value.
   *
   * @param <R> what the operation returns
   * @param visitor the operation, with a method for each kind
   * @return what the operation returns
   */
  <R> R accept(Visitor<R> visitor);

  /**
   * An operation with one case per kind of value.
   *
   * @param <R> what the operation returns
   */
  interface Visitor<R> {
    /** Handles an integer. */
    R visit(Int value);

    /** Handles an address. */
    R visit(Address value);

    /** Handles a character array. */
    R visit(Text value);

    /** Handles a decoded string. */
    R visit(Decoded value);

    /** Handles a buffer. */
    R visit(Bytes value);

    /** Handles a string in quotes. */
    R visit(Quoted value);

    /** Handles a floating-point number. */
    R visit(Real value);

    /** Handles an array. */
    R visit(Elements value);

    /** Handles a structure. */
    R visit(Struct value);

    /** Handles a tuple. */
    R visit(Tuple value);

    /** Handles a kernel stack. */
    R visit(Stack value);

    /** Handles a user stack. */
    R visit(UserStack value);

    /** Handles a missing stack. */
    R visit(MissingStack value);

    /** Handles the kernel's stack on the user stack. */
    R visit(BothStacks value);

    /** Handles a histogram of powers of two. */
    R visit(Distribution value);

    /** Handles a histogram of ranges. */
    R visit(Buckets value);

    /** Handles a time series. */
    R visit(Series value);

    /** Handles statistics. */
    R visit(Stats value);

    /** Handles a whole map. */
    R visit(Dump value);
  }

  /**
   * An integer; {@code value} is extended to 64 bits by its type's signedness.
   *
   * @param value in 64 bits
   * @param type its size, signedness and print format
   */
  record Int(long value, Type.IntType type) implements Datum {
    @Override
    public Datum dividedBy(long divisor) {
      return new Int(type.isSigned() ? value / divisor : Long.divideUnsigned(value, divisor), type);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An address.
   *
   * @param value in 64 bits, unsigned
   * @param type the type it points to, and in which address space
   */
  record Address(long value, Type.PointerType type) implements Datum {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A character array.
   *
   * @param bytes all bytes, one char each (ISO 8859-1), including those after the first NUL
   * @param isCut whether the string was longer where it was read
   * @param cutMark what output shows after a string that was cut
   */
  record Text(String bytes, boolean isCut, String cutMark) implements Datum {
    /** The default mark after a string that was cut. */
    public static final String CUT_MARK = "..";

    /**
     * Creates an array that is shown with {@value #CUT_MARK} if it was cut.
     *
     * @param bytes one char each (ISO 8859-1)
     * @param isCut whether the string was longer where it was read
     */
    public Text(String bytes, boolean isCut) {
      this(bytes, isCut, CUT_MARK);
    }

    /**
     * Creates an array that is whole.
     *
     * @param bytes one char each (ISO 8859-1)
     */
    public Text(String bytes) {
      this(bytes, false);
    }

    /** {@return what output shows after the string, empty if it is whole} */
    public String mark() {
      return isCut ? cutMark : "";
    }

    /** {@return the string before the first NUL, without a mark, decoded by {@link TextBytes}} */
    public String text() {
      int end = bytes.indexOf('\0');
      return TextBytes.decode(
          (end < 0 ? bytes : bytes.substring(0, end)).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** {@return all bytes, escaped} */
    @Override
    public String toString() {
      String all = TextBytes.decode(bytes.getBytes(StandardCharsets.ISO_8859_1));
      return "Text[" + Escapes.escape(all) + "]" + mark();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A decoded string, such as a time or an IP address, printed verbatim.
   *
   * @param text in layouts that show everything
   * @param bare the string in layouts that show functions without their offsets
   */
  record Decoded(String text, String bare) implements Datum {
    /**
     * A string that is the same in all layouts.
     *
     * @param text without control characters
     */
    public Decoded(String text) {
      this(text, text);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Bytes of any value, of {@code buf}.
   *
   * @param bytes one char each (ISO 8859-1)
   */
  record Bytes(String bytes) implements Datum {
    /** {@return the bytes as a string, decoded by {@link TextBytes}} */
    public String text() {
      return TextBytes.decode(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** {@return all bytes, escaped} */
    @Override
    public String toString() {
      return "Bytes[" + toText() + "]";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A string read from memory, printed in quotes.
   *
   * @param text decoded by {@link TextBytes}; empty if the memory could not be read
   */
  record Quoted(Optional<String> text) implements Datum {
    /** Printed in place of memory that could not be read, as the kernel does. */
    public static final String FAULT = "(fault)";

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A floating-point number.
   *
   * @param value a double, or a float that has become one
   * @param text the shortest decimal that is read as the same number
   */
  record Real(double value, String text) implements Datum {
    /**
     * {@return a float}
     *
     * @param value any, also infinite or no number
     */
    public static Real of(float value) {
      return new Real(value, text(value, Float.toString(value)));
    }

    /**
     * {@return a double}
     *
     * @param value any, also infinite or no number
     */
    public static Real of(double value) {
      return new Real(value, text(value, Double.toString(value)));
    }

    private static String text(double value, String shortest) {
      if (Double.isNaN(value)) {
        return "nan";
      }
      return Double.isInfinite(value) ? value < 0 ? "-inf" : "inf" : shortest.replace('E', 'e');
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An array of other elements than characters.
   *
   * @param elements in order
   */
  record Elements(List<Datum> elements) implements Datum {
    /** Copies the elements. */
    public Elements {
      elements = List.copyOf(elements);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A structure; {@code fields} are in the order of its type's fields.
   *
   * @param fields in the order of the type's fields
   * @param type names and offsets of the fields
   */
  record Struct(List<Datum> fields, Type.StructType type) implements Datum {
    /** Copies the fields. */
    public Struct {
      fields = List.copyOf(fields);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A tuple, printed as {@code (1, abc)}.
   *
   * @param elements in order
   */
  record Tuple(List<Datum> elements) implements Datum {
    /** Copies the elements. */
    public Tuple {
      elements = List.copyOf(elements);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A kernel stack trace.
   *
   * @param id the kernel's stack id: equal traces of a session have the same
   * @param addresses the return addresses, innermost first
   * @param mode the print format
   */
  record Stack(int id, List<Long> addresses, StackMode mode) implements Datum {
    /** Copies the addresses. */
    public Stack {
      addresses = List.copyOf(addresses);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A user stack trace.
   *
   * @param process its PID
   * @param id the kernel's stack id: equal traces of a session have the same
   * @param frames the frames, innermost first
   * @param mode the print format
   */
  record UserStack(int process, int id, List<UserSymbols.Frame> frames, StackMode mode)
      implements Datum {
    /** Copies the frames. */
    public UserStack {
      frames = List.copyOf(frames);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A missing stack trace.
   *
   * @param process the PID, 0 for a kernel stack
   * @param id the stack id, or a negative errno
   * @param side of the kernel or of the process
   */
  record MissingStack(int process, int id, Side side) implements Datum {
    /** Which stack. */
    public enum Side {
      /** The kernel stack. */
      KERNEL,
      /** The user stack. */
      USER
    }

    /** Why a stack trace is missing. */
    public enum Reason {
      /** The thread has no such stack: kernel threads have no user stack. */
      NO_STACK,
      /** The kernel could not store it, or has replaced it by another. */
      LOST
    }

    /** -EFAULT. */
    private static final int NO_STACK = -14;

    /** {@return the reason} */
    public Reason reason() {
      return id == NO_STACK ? Reason.NO_STACK : Reason.LOST;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The kernel's stack on the user stack.
   *
   * @param kernel a kernel stack, or one that is missing
   * @param user a user stack, or one that is missing
   */
  record BothStacks(Datum kernel, Datum user) implements Datum {
    /** {@return the stacks that are not missing, and those that are lost, the kernel's first} */
    public List<Datum> present() {
      return Stream.of(kernel, user).filter(stack -> !isNone(stack)).toList();
    }

    private static boolean isNone(Datum stack) {
      return stack instanceof MissingStack missing
          && missing.reason() == MissingStack.Reason.NO_STACK;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A histogram of powers of two.
   *
   * @param histogram ranges that double
   * @param divisor of the counts that are shown, 1 unless a {@code print} divides; not zero
   */
  record Distribution(Histogram histogram, long divisor) implements Datum {
    /**
     * A histogram that is shown as it is.
     *
     * @param histogram ranges that double
     */
    public Distribution(Histogram histogram) {
      this(histogram, 1);
    }

    /** {@return the histogram with its counts divided} */
    public Histogram shown() {
      return divisor == 1 ? histogram : histogram.dividedBy(divisor);
    }

    @Override
    public Datum dividedBy(long by) {
      return new Distribution(histogram, divisor * by);
    }

    @Override
    public boolean isDrawn() {
      return true;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A histogram of adjacent ranges.
   *
   * @param histogram ranges of any limits
   */
  record Buckets(BucketHistogram histogram) implements Datum {
    @Override
    public Datum dividedBy(long divisor) {
      return new Buckets(histogram.dividedBy(divisor));
    }

    @Override
    public boolean isDrawn() {
      return true;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The values of the newest intervals.
   *
   * @param series of one key
   */
  record Series(TimeSeries series) implements Datum {
    @Override
    public boolean isDrawn() {
      return true;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Count, average and total.
   *
   * @param statistics of at least one value
   */
  record Stats(Statistics statistics) implements Datum {
    @Override
    public Datum dividedBy(long divisor) {
      return new Stats(statistics.dividedBy(divisor));
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A whole map, printed as its dump.
   *
   * @param map with its name
   */
  record Dump(NamedTable map) implements Datum {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@return a number divided by {@code divisor} toward zero, a histogram with its counts divided;
   * anything else as it is}
   *
   * @param divisor not zero
   */
  default Datum dividedBy(long divisor) {
    return this;
  }

  /** {@return whether this is a stack, or one that is missing} */
  default boolean isStack() {
    return this instanceof Stack
        || this instanceof UserStack
        || this instanceof MissingStack
        || this instanceof BothStacks;
  }

  /**
   * {@return how much a row with this value weighs in a flame graph: a number, the number of values
   * of a distribution, the total of statistics; empty for anything else}
   */
  default OptionalLong weight() {
    if (this instanceof Int number) {
      return OptionalLong.of(number.value());
    } else if (this instanceof Distribution distribution) {
      return OptionalLong.of(distribution.histogram().count());
    } else if (this instanceof Buckets buckets) {
      return OptionalLong.of(buckets.histogram().count());
    } else if (this instanceof Stats stats) {
      return OptionalLong.of(stats.statistics().total());
    }
    return OptionalLong.empty();
  }

  /** {@return whether the value is printed on lines of its own} */
  default boolean isDrawn() {
    return false;
  }

  /**
   * {@return the value in its type's default format without padding, strings escaped, code
   * addresses as numbers}
   */
  default String toText() {
    return this instanceof Text text
        ? Escapes.escape(text.text())
        : DatumFormat.PLAIN.format(this).strip();
  }
}
