package dev.ply.table;

import dev.ply.table.Datum.MissingStack;
import dev.ply.table.Datum.MissingStack.Side;
import dev.ply.target.Cgroups;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.Target;
import dev.ply.target.WallClock;
import dev.ply.text.BufferFormat;
import dev.ply.text.CompatibleDurations;
import dev.ply.text.Durations;
import dev.ply.text.Escaping;
import dev.ply.text.HexDump;
import dev.ply.text.Padding;
import dev.ply.text.TextBuffer;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints values in ply's layout: addresses with their symbols, times with units, strings escaped.
 * Thread-safe if the symbols are.
 */
public final class DatumFormat implements ValueFormat {
  /** Without symbols. */
  public static final DatumFormat PLAIN = new DatumFormat(KernelSymbols.NONE);

  /** Initialised when a script first prints a time: formatters are slow to create. */
  private static final class TimeOfDay {
    static final DateTimeFormatter FORMAT =
        DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSSSSS", Locale.ROOT);
  }

  private final KernelSymbols symbols;
  private final WallClock clock;
  private final Cgroups cgroups;
  private final Escaping escaping;
  private final Style style;

  /**
   * Prints code addresses with {@code symbols}, and times since boot.
   *
   * @param symbols of the kernel
   */
  public DatumFormat(KernelSymbols symbols) {
    this(symbols, WallClock.SINCE_BOOT, Cgroups.NONE, Escaping.ALL, Style.PLY);
  }

  /**
   * Prints addresses and times with the symbols and the clock of {@code target}.
   *
   * @param target that the data come from
   */
  public DatumFormat(Target target) {
    this(target.symbols(), target.wallClock(), target.cgroups(), Escaping.ALL, Style.PLY);
  }

  private DatumFormat(
      KernelSymbols symbols, WallClock clock, Cgroups cgroups, Escaping escaping, Style style) {
    this.symbols = symbols;
    this.clock = clock;
    this.cgroups = cgroups;
    this.escaping = escaping;
    this.style = style;
  }

  /** {@return this format with unescaped {@code %s} and {@code %c} of {@code printf}} */
  @Override
  public DatumFormat raw() {
    return new DatumFormat(symbols, clock, cgroups, Escaping.NONE, style);
  }

  /** {@return this format with the widths, units and limits of ply 2.4} */
  public DatumFormat compatible() {
    return new DatumFormat(symbols, clock, cgroups, escaping, Style.COMPATIBLE);
  }

  /** Returns whose widths and units this has. */
  Style style() {
    return style;
  }

  @Override
  public Escaping escaping() {
    return escaping;
  }

  @Override
  public void append(TextBuffer out, Datum datum) {
    append(out, datum, 0);
  }

  private void append(TextBuffer out, Datum datum, int depth) {
    TextBuffer unused = datum.accept(new Writer(out, depth));
  }

  /** Writes a value that is a part of {@code depth} structures. */
  private final class Writer implements Datum.Visitor<TextBuffer> {
    private final TextBuffer out;
    private final int depth;

    Writer(TextBuffer out, int depth) {
      this.out = out;
      this.depth = depth;
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
      byte[] bytes = value.bytes().getBytes(StandardCharsets.ISO_8859_1);
      appendText(out, ByteBuffer.wrap(bytes), 0, bytes.length);
      return out.append(value.mark());
    }

    @Override
    public TextBuffer visit(Datum.Decoded value) {
      return out.append(value.text());
    }

    @Override
    public TextBuffer visit(Datum.Bytes value) {
      BufferFormat.TEXT.append(out, value.bytes());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Quoted value) {
      return value.text().isEmpty()
          ? out.append(Datum.Quoted.FAULT)
          : out.append('"').appendEscaped(value.text().get()).append('"');
    }

    @Override
    public TextBuffer visit(Datum.Real value) {
      return out.append(value.text());
    }

    @Override
    public TextBuffer visit(Datum.Elements value) {
      out.append('[');
      appendAll(out, value.elements(), depth);
      return out.append(']');
    }

    @Override
    public TextBuffer visit(Datum.Struct value) {
      appendStruct(out, value, depth);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Tuple value) {
      appendTuple(out, value, depth);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Stack value) {
      StackFormat.append(out, value, symbols);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.UserStack value) {
      StackFormat.append(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.MissingStack value) {
      StackFormat.append(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.BothStacks value) {
      StackFormat.append(out, value, symbols);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Distribution value) {
      HistogramFormat.append(out.append('\n'), value.shown(), style);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Buckets value) {
      BucketFormat.append(out.append('\n'), value.histogram());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Series value) {
      SeriesFormat.append(out.append('\n'), value.series(), clock, true);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Stats value) {
      appendStatistics(out, value.statistics());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Dump value) {
      new TableFormat(DatumFormat.this).append(out, value.map().name(), value.map().table());
      return out;
    }
  }

  private void appendStatistics(TextBuffer out, Statistics statistics) {
    IntFormat format = statistics.valueType().format();
    out.append("count ").appendUnsigned(statistics.count());
    out.append(", average ");
    IntType type = statistics.valueType();
    appendInt(out, statistics.average(), type.printedAs(format.ofAverage()));
    out.append(", total ");
    appendInt(out, statistics.total(), type.printedAs(format.ofSum()));
  }

  /**
   * Writes {@code data}, separated by commas: a line of {@code print} without its newline.
   *
   * @param out receives the line
   * @param data in the order of the arguments
   */
  public void appendAll(TextBuffer out, List<Datum> data) {
    appendAll(out, data, 0);
  }

  private void appendAll(TextBuffer out, List<Datum> data, int depth) {
    for (int i = 0; i < data.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      append(out, data.get(i), depth);
    }
  }

  /** Writes the components of a key, in braces. */
  void appendKey(TextBuffer out, Key key) {
    appendInBraces(out, key.parts(), 0);
  }

  @Override
  public void appendInt(TextBuffer out, long value, IntType type) {
    Optional<String> name = type.names().name(value);
    if (name.isPresent()) {
      out.append(name.get());
      return;
    }
    switch (type.format()) {
      case DECIMAL, BOOLEAN, AVERAGE, CHARACTER, PROBE, FLOATING_POINT ->
          appendDecimal(out, value, type.isSigned());
      case PID -> Padding.append(out, bits(value, type), columns(5));
      case UID -> Padding.append(out, bits(value, type), columns(4));
      case CPU -> Padding.append(out, bits(value, type), columns(2));
      case HEX -> {
        out.append(value == 0 ? "" : "0x");
        out.appendHex(bits(value, type));
      }
      case SYMBOL -> appendSymbol(out, symbols, bits(value, type), type.bytes());
      case STACK, FUNCTIONS ->
          StackFormat.append(out, new MissingStack(0, (int) value, Side.KERNEL));
      case USER_STACK, USER_FUNCTIONS ->
          StackFormat.append(out, new MissingStack((int) (value >>> 32), (int) value, Side.USER));
      case CGROUP -> appendCgroup(out, value);
      case DURATION, DURATION_SUM, DURATION_AVERAGE, SINCE_BOOT -> appendTime(out, value, type);
      case TIME_OF_DAY -> out.append(TimeOfDay.FORMAT.format(clock.at(value)));
      case DATA_LOCATION ->
          out.append("dynamic(")
              .append(value >>> 16 & 0xffff)
              .append(" bytes, offset 0x")
              .appendHex(value & 0xffff)
              .append(')');
    }
  }

  /** Returns the least columns of a number, which only ply 2.4 has. */
  private int columns(int compatible) {
    return style == Style.COMPATIBLE ? compatible : 0;
  }

  /** Writes a duration or a time since boot; ply 2.4 has no difference, and no units of sums. */
  private void appendTime(TextBuffer out, long value, IntType type) {
    if (style == Style.PLY) {
      if (type.format() == IntFormat.SINCE_BOOT) {
        Durations.appendSinceBoot(out, value);
      } else {
        Durations.append(out, value, type.isSigned());
      }
    } else if (type.format() == IntFormat.DURATION || type.format() == IntFormat.SINCE_BOOT) {
      CompatibleDurations.append(out, value, type.isSigned());
    } else {
      appendDecimal(out, value, type.isSigned());
    }
  }

  /** {@return the clock that shows points in time} */
  public WallClock clock() {
    return clock;
  }

  /**
   * {@return the path of a cgroup below the root of cgroup v2, if it is there}
   *
   * @param id of the cgroup
   */
  public Optional<String> cgroupPath(long id) {
    return cgroups.path(id);
  }

  private void appendCgroup(TextBuffer out, long id) {
    Optional<String> path = cgroupPath(id);
    if (path.isPresent()) {
      out.appendEscaped(path.get());
    } else {
      out.appendUnsigned(id);
    }
  }

  private static void appendDecimal(TextBuffer out, long value, boolean signed) {
    if (signed || value >= 0) {
      out.append(value);
    } else {
      out.appendUnsigned(value);
    }
  }

  /**
   * {@return a value truncated to its type's size, zero-extended}
   *
   * @param value in 64 bits
   * @param type decides about the size
   */
  public static long bits(long value, IntType type) {
    return type.bytes() == 8 ? value : value & ((1L << (8 * type.bytes())) - 1);
  }

  /** Writes symbol and offset, or an address of {@code bytes} bytes without a symbol. */
  static void appendSymbol(TextBuffer out, KernelSymbols symbols, long address, int bytes) {
    Optional<Symbol> symbol = symbols.at(address);
    if (symbol.isPresent()) {
      out.appendEscaped(symbol.get().toString());
    } else {
      out.append('<');
      int digits = out.length();
      out.appendHex(address);
      out.insert(digits, '0', 2 * bytes - (out.length() - digits));
      out.append('>');
    }
  }

  /**
   * Writes a string, in ply 2.4's style padded to the columns of its maximum length; a hex dump if
   * it is not a string.
   */
  @Override
  public void appendText(TextBuffer out, ByteBuffer bytes, int start, int size) {
    int length = textLength(bytes, start, size);
    if (length == size || !isPadded(bytes, start + length, start + size)) {
      HexDump.append(out, bytes, start, size);
    } else {
      int begin = out.length();
      out.appendEscaped(bytes, start, length);
      if (style == Style.COMPATIBLE) {
        Padding.spaces(out, size - 1 - out.characters(begin));
      }
    }
  }

  /**
   * {@return the number of bytes before the first NUL, {@code size} if not found}
   *
   * @param bytes their position is not used
   * @param start the index of the first byte
   * @param size the maximum number of bytes
   */
  public static int textLength(ByteBuffer bytes, int start, int size) {
    int length = 0;
    while (length < size && bytes.get(start + length) != 0) {
      length++;
    }
    return length;
  }

  /** Returns whether all bytes from {@code start} up to {@code end} are NUL. */
  private static boolean isPadded(ByteBuffer bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      if (bytes.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void appendAddress(TextBuffer out, long address) {
    out.append('<').appendHex(address).append('>');
  }

  @Override
  public void appendSymbol(TextBuffer out, long address) {
    Optional<KernelSymbols.Range> range = symbols.rangeAt(address);
    if (range.isPresent()) {
      out.appendEscaped(range.get().toString());
    } else {
      out.append("0x").appendHex(address);
    }
  }

  /** Writes a part of a tuple: without padding, which only aligns the start of lines. */
  private void appendUnpadded(TextBuffer out, Datum datum, int depth) {
    if (datum instanceof Datum.Text text) {
      out.appendEscaped(text.text()).append(text.mark());
    } else if (datum instanceof Datum.Int number) {
      switch (number.type().format()) {
        case PID, UID, CPU -> out.append(bits(number.value(), number.type()));
        default -> append(out, number, depth);
      }
    } else {
      append(out, datum, depth);
    }
  }

  private void appendTuple(TextBuffer out, Datum.Tuple tuple, int depth) {
    out.append('(');
    for (int i = 0; i < tuple.elements().size(); i++) {
      out.append(i == 0 ? "" : ", ");
      appendUnpadded(out, tuple.elements().get(i), depth);
    }
    out.append(tuple.elements().size() == 1 ? ",)" : ")");
  }

  private void appendStruct(TextBuffer out, Datum.Struct struct, int depth) {
    StructType type = struct.type();
    if (type.tag().isEmpty()) {
      appendInBraces(out, struct.fields(), depth);
      return;
    }
    int inner = style == Style.COMPATIBLE ? 1 : depth + 1;
    out.append('{');
    for (int i = 0; i < struct.fields().size(); i++) {
      out.append(i == 0 ? "\n" : ",\n").fill('\t', inner);
      out.appendEscaped(type.fields().get(i).name()).append(" = ");
      append(out, struct.fields().get(i), inner);
    }
    out.append('\n').fill('\t', inner - 1).append('}');
  }

  private void appendInBraces(TextBuffer out, List<Datum> data, int depth) {
    out.append("{ ");
    appendAll(out, data, depth);
    out.append(" }");
  }
}
