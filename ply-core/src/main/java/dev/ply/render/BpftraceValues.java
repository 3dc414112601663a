package dev.ply.render;

import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.SeriesFormat;
import dev.ply.table.StackFormat;
import dev.ply.table.StackMode;
import dev.ply.table.Statistics;
import dev.ply.table.ValueFormat;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.Target;
import dev.ply.target.UserSymbols;
import dev.ply.target.WallClock;
import dev.ply.text.Escaping;
import dev.ply.text.TextBuffer;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Writes values as bpftrace does: numbers and strings without padding, addresses with {@code 0x},
 * tuples in parentheses. Control characters other than newline and tab are escaped, which bpftrace
 * does not do; in rows of maps those, too, or a string would forge other rows.
 */
public final class BpftraceValues implements ValueFormat {
  private static final String FRAME_INDENT = "        ";

  private final KernelSymbols symbols;
  private final DatumFormat others;
  private final Escaping escaping;
  private final boolean showsTruth;

  /** Writes addresses and times of day as they are on {@code target}. */
  public BpftraceValues(Target target, Escaping escaping) {
    this(target.symbols(), new DatumFormat(target), escaping, false);
  }

  private BpftraceValues(
      KernelSymbols symbols, DatumFormat others, Escaping escaping, boolean showsTruth) {
    this.symbols = symbols;
    this.others = others;
    this.escaping = escaping;
    this.showsTruth = showsTruth;
  }

  /** {@return these with {@code true} and {@code false} instead of 1 and 0 for truth values} */
  public BpftraceValues withTruth() {
    return new BpftraceValues(symbols, others, escaping, true);
  }

  /** Returns these for rows of maps, where a string stays on its line. */
  BpftraceValues inRows() {
    return escaping == Escaping.ALL_BUT_LINES
        ? new BpftraceValues(symbols, others, Escaping.ALL, showsTruth)
        : this;
  }

  /** {@return whether values of a type are shown as {@code true} and {@code false}} */
  public boolean showsTruth(IntType type) {
    return showsTruth && type.isTruth();
  }

  /** Writes addresses and times without symbols and clock. */
  public static BpftraceValues plain(Escaping escaping) {
    return new BpftraceValues(KernelSymbols.NONE, DatumFormat.PLAIN, escaping, false);
  }

  @Override
  public BpftraceValues raw() {
    return new BpftraceValues(symbols, others, Escaping.NONE, showsTruth);
  }

  @Override
  public boolean hasIntegersOfC() {
    return true;
  }

  @Override
  public Escaping escaping() {
    return escaping;
  }

  /** {@return the clock of times} */
  public WallClock clock() {
    return others.clock();
  }

  /** Returns whether a value is shown on lines of its own. */
  boolean isBlock(Datum datum) {
    return datum.isDrawn();
  }

  @Override
  public void append(TextBuffer out, Datum datum) {
    TextBuffer unused = datum.accept(new Writer(out));
  }

  /** Writes a value; those that bpftrace lacks, or shows as ply does, in ply's format. */
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
      byte[] bytes = value.bytes().getBytes(StandardCharsets.ISO_8859_1);
      appendText(out, ByteBuffer.wrap(bytes), 0, bytes.length);
      return out.append(value.mark());
    }

    @Override
    public TextBuffer visit(Datum.Decoded value) {
      return out.append(value.bare());
    }

    @Override
    public TextBuffer visit(Datum.Bytes value) {
      others.append(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Quoted value) {
      others.append(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Real value) {
      others.append(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Elements value) {
      appendElements(out, value.elements());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Struct value) {
      appendStruct(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Tuple value) {
      out.append('(');
      appendAll(out, value.elements());
      return out.append(value.elements().size() == 1 ? ",)" : ")");
    }

    @Override
    public TextBuffer visit(Datum.Stack value) {
      appendStack(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.UserStack value) {
      appendStack(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.MissingStack value) {
      return out.append('\n');
    }

    @Override
    public TextBuffer visit(Datum.BothStacks value) {
      out.append('\n');
      for (Datum one : value.present()) {
        if (one instanceof Datum.Stack stack) {
          appendFrames(out, stack);
        } else if (one instanceof Datum.UserStack stack) {
          appendFrames(out, stack);
        }
      }
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Distribution value) {
      BpftraceHistogram.append(out, value);
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Buckets value) {
      BpftraceHistogram.append(out, value.histogram());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Series value) {
      SeriesFormat.append(out, value.series(), clock());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Stats value) {
      appendStatistics(out, value.statistics());
      return out;
    }

    @Override
    public TextBuffer visit(Datum.Dump value) {
      others.append(out, value);
      return out;
    }
  }

  /** Writes statistics as the structure that they are since bpftrace 0.26. */
  private void appendStatistics(TextBuffer out, Statistics statistics) {
    out.append("{ .count = ").appendUnsigned(statistics.count()).append(", .average = ");
    appendPlain(out, statistics.average(), statistics.valueType());
    out.append(", .total = ");
    appendPlain(out, statistics.total(), statistics.valueType());
    out.append(" }");
  }

  private static void appendPlain(TextBuffer out, long value, IntType type) {
    if (type.isSigned()) {
      out.append(value);
    } else {
      out.appendUnsigned(value);
    }
  }

  /** Writes {@code data}, separated by commas. */
  void appendAll(TextBuffer out, List<Datum> data) {
    for (int i = 0; i < data.size(); i++) {
      out.append(i > 0 ? ", " : "");
      append(out, data.get(i));
    }
  }

  @Override
  public void appendInt(TextBuffer out, long value, IntType type) {
    Optional<String> name = type.names().name(value);
    if (name.isPresent()) {
      out.append(name.get());
      return;
    }
    switch (type.format()) {
      case SYMBOL -> appendFunction(out, DatumFormat.bits(value, type));
      case STACK, FUNCTIONS, USER_STACK, USER_FUNCTIONS -> out.append('\n');
      case CGROUP -> appendCgroup(out, value);
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
          DATA_LOCATION -> {
        if (showsTruth(type)) {
          out.append(value != 0 ? "true" : "false");
        } else if (type.isSigned()) {
          out.append(value);
        } else {
          out.appendUnsigned(value);
        }
      }
      default -> others.appendInt(out, value, type);
    }
  }

  @Override
  public void appendAddress(TextBuffer out, long address) {
    out.append("0x").appendHex(address);
  }

  @Override
  public void appendSymbol(TextBuffer out, long address) {
    others.appendSymbol(out, address);
  }

  @Override
  public void appendText(TextBuffer out, ByteBuffer bytes, int start, int size) {
    escaping.append(out, bytes, start, DatumFormat.textLength(bytes, start, size));
  }

  /** Writes the function at {@code address}; the address where none is known. */
  private void appendFunction(TextBuffer out, long address) {
    Optional<Symbol> symbol = symbols.at(address);
    if (symbol.isPresent()) {
      out.appendEscaped(symbol.get().name());
    } else {
      appendAddress(out, address);
    }
  }

  /** Writes the hierarchy and the path of a cgroup; the ID of one that is gone. */
  private void appendCgroup(TextBuffer out, long id) {
    Optional<String> path = others.cgroupPath(id);
    if (path.isPresent()) {
      out.append("unified:").appendEscaped(path.get());
    } else {
      out.appendUnsigned(id);
    }
  }

  private void appendElements(TextBuffer out, List<Datum> elements) {
    out.append('[');
    for (int i = 0; i < elements.size(); i++) {
      out.append(i > 0 ? "," : "");
      append(out, elements.get(i));
    }
    out.append(']');
  }

  private void appendStruct(TextBuffer out, Datum.Struct struct) {
    if (struct.type().tag().isEmpty()) {
      out.append('(');
      appendAll(out, struct.fields());
      out.append(')');
      return;
    }
    out.append("{ ");
    for (int i = 0; i < struct.fields().size(); i++) {
      out.append(i > 0 ? ", ." : ".");
      out.appendEscaped(struct.type().fields().get(i).name()).append(" = ");
      append(out, struct.fields().get(i));
    }
    out.append(" }");
  }

  private void appendStack(TextBuffer out, Datum.Stack stack) {
    out.append('\n');
    appendFrames(out, stack);
  }

  private void appendFrames(TextBuffer out, Datum.Stack stack) {
    for (long address : stack.addresses()) {
      Optional<Symbol> symbol = symbols.at(address);
      if (beginFrame(out, stack.mode(), address)) {
        if (symbol.isPresent()) {
          appendFunction(out, symbol.get(), stack.mode() != StackMode.FUNCTIONS);
        } else {
          appendAddress(out, address);
        }
      }
      out.append('\n');
    }
  }

  private void appendStack(TextBuffer out, Datum.UserStack stack) {
    out.append('\n');
    appendFrames(out, stack);
  }

  private void appendFrames(TextBuffer out, Datum.UserStack stack) {
    for (UserSymbols.Frame frame : stack.frames()) {
      if (stack.mode() == StackMode.BUILD_ID) {
        StackFormat.appendPosition(out, frame);
      }
      if (beginFrame(out, stack.mode(), frame.address())) {
        if (frame.symbol().isPresent()) {
          appendFunction(
              out, frame.symbol().get(), stack.mode() != StackMode.FUNCTIONS && hasOffset(frame));
        } else {
          appendAddress(out, frame.address());
        }
        if (stack.mode() == StackMode.PERF) {
          String file = frame.path().or(frame::binary).orElse("[unknown]");
          out.append(" (").appendEscaped(file).append(')');
        } else if (stack.mode() == StackMode.LINES) {
          StackFormat.appendLine(out, frame);
        }
      }
      out.append('\n');
    }
  }

  /** Writes what precedes a function's name; returns whether the mode shows names. */
  private static boolean beginFrame(TextBuffer out, StackMode mode, long address) {
    switch (mode) {
      case PLY, BPFTRACE, LINES, FUNCTIONS -> out.append(FRAME_INDENT);
      case PERF -> out.append('\t').appendHex(address).append(' ');
      case RAW -> out.appendHex(address);
      case BUILD_ID -> {}
    }
    return mode != StackMode.RAW && mode != StackMode.BUILD_ID;
  }

  /** Methods with a line have no offset, nor does what says why a stack ends. */
  private static boolean hasOffset(UserSymbols.Frame frame) {
    return frame.binary().isPresent() || frame.symbol().stream().anyMatch(one -> one.offset() > 0);
  }

  private static void appendFunction(TextBuffer out, Symbol symbol, boolean withOffset) {
    out.appendEscaped(symbol.shown());
    if (withOffset) {
      out.append('+').append(symbol.offset());
    }
  }
}
