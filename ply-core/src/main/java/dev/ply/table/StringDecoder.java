package dev.ply.table;

import dev.ply.machine.SystemCallNames;
import dev.ply.name.Errno;
import dev.ply.name.Signal;
import dev.ply.symbol.Demangled;
import dev.ply.target.ContainerPath;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.Target;
import dev.ply.target.UserSymbols;
import dev.ply.target.WallClock;
import dev.ply.text.InternetAddresses;
import dev.ply.text.Strftime;
import dev.ply.type.Encoding;
import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Decodes strings that programs leave encoded, with the clocks and symbols of a target. */
public final class StringDecoder {
  private final Target target;
  private final WallClock clock;
  private final UserSymbols symbols;
  private final Map<Integer, String> probeNames;
  private final boolean demangles;

  /**
   * Creates a decoder for a target.
   *
   * @param target whose architecture, users and clocks are used
   * @param symbols of processes
   * @param probeNames the definitions of probe sites by number
   * @param demangles whether functions of C++ and Rust are shown by their names
   */
  public StringDecoder(
      Target target, UserSymbols symbols, Map<Integer, String> probeNames, boolean demangles) {
    this.demangles = demangles;
    this.target = target;
    this.symbols = symbols;
    this.probeNames = probeNames;
    this.clock = target.wallClock();
  }

  /**
   * {@return the string at {@code offset} of a buffer in the target's byte order}
   *
   * @param encoding how the program left the string
   * @param bytes the record or key
   * @param offset of its first byte
   */
  public Datum.Decoded decode(Encoding encoding, ByteBuffer bytes, int offset) {
    return encoding.accept(new Decoder(bytes, offset));
  }

  /** Decodes the string at an offset. */
  private final class Decoder implements Encoding.Visitor<Datum.Decoded> {
    private final ByteBuffer bytes;
    private final int offset;

    Decoder(ByteBuffer bytes, int offset) {
      this.bytes = bytes;
      this.offset = offset;
    }

    private long number() {
      return bytes.getLong(offset);
    }

    @Override
    public Datum.Decoded visit(Encoding.Time encoding) {
      return new Datum.Decoded(time(encoding, number()));
    }

    @Override
    public Datum.Decoded visit(Encoding.InternetAddress encoding) {
      int address = offset + Encoding.InternetAddress.FAMILY_BYTES;
      return new Datum.Decoded(
          InternetAddresses.text(
              bytes.getInt(offset), copy(bytes, address, Encoding.InternetAddress.ADDRESS_BYTES)));
    }

    @Override
    public Datum.Decoded visit(Encoding.MacAddress encoding) {
      return new Datum.Decoded(
          HexFormat.ofDelimiter(":")
              .withUpperCase()
              .formatHex(copy(bytes, offset, Encoding.MacAddress.BYTES)));
    }

    @Override
    public Datum.Decoded visit(Encoding.ErrorMessage encoding) {
      return new Datum.Decoded(Errno.strerror(number()));
    }

    @Override
    public Datum.Decoded visit(Encoding.ProbedFunction encoding) {
      String name = function(number());
      return new Datum.Decoded(
          encoding.systemCalls().isEmpty()
              ? name
              : name.replaceFirst("^sys_(enter|exit)_", encoding.systemCalls()));
    }

    @Override
    public Datum.Decoded visit(Encoding.QuotedString encoding) {
      throw isRead(encoding);
    }

    @Override
    public Datum.Decoded visit(Encoding.UserSymbol encoding) {
      return symbol(number(), (int) bytes.getLong(offset + Long.BYTES));
    }

    @Override
    public Datum.Decoded visit(Encoding.Buffer encoding) {
      throw isRead(encoding);
    }

    @Override
    public Datum.Decoded visit(Encoding.Words encoding) {
      byte[] words = new byte[Math.min(encoding.capacity(), bytes.getInt(offset))];
      bytes.get(offset + Encoding.Buffer.LENGTH_BYTES, words);
      int length = words.length;
      while (length > 0 && words[length - 1] == 0) {
        length--;
      }
      return new Datum.Decoded(TextBytes.decode(Arrays.copyOf(words, length)).replace('\0', ' '));
    }

    @Override
    public Datum.Decoded visit(Encoding.UserName encoding) {
      return name(target.userName(number()));
    }

    @Override
    public Datum.Decoded visit(Encoding.ThreadName encoding) {
      return name(target.threadName(number()));
    }

    @Override
    public Datum.Decoded visit(Encoding.Container encoding) {
      return name(ofCgroup(ContainerPath::container));
    }

    @Override
    public Datum.Decoded visit(Encoding.Pod encoding) {
      return name(ofCgroup(ContainerPath::pod));
    }

    /** Returns what the path of a cgroup tells; empty if it is gone or not visible. */
    private Optional<String> ofCgroup(Function<ContainerPath, Optional<String>> part) {
      return target
          .cgroups()
          .path(number())
          .map(path -> part.apply(new ContainerPath(path)).orElse(ContainerPath.NONE));
    }

    @Override
    public Datum.Decoded visit(Encoding.SystemCallName encoding) {
      return new Datum.Decoded(
          SystemCallNames.name(target.architecture(), number())
              .orElseGet(() -> Long.toString(number())));
    }

    @Override
    public Datum.Decoded visit(Encoding.SignalName encoding) {
      return new Datum.Decoded(Signal.nameOf(number()));
    }

    @Override
    public Datum.Decoded visit(Encoding.EncodedOrText encoding) {
      int value = offset + Encoding.EncodedOrText.TAG_BYTES;
      return number() == 0
          ? decode(encoding.encoding(), bytes, value)
          : new Datum.Decoded(Escapes.escape(string(copy(bytes, value, encoding.bytes()))));
    }

    /** Names come from files of others. */
    private Datum.Decoded name(Optional<String> name) {
      return new Datum.Decoded(Escapes.escape(name.orElseGet(() -> Long.toString(number()))));
    }

    /** Strings in quotes and buffers are read as they are. */
    private IllegalArgumentException isRead(Encoding encoding) {
      return new IllegalArgumentException("nothing decodes a " + encoding.noun());
    }
  }

  private static String string(byte[] bytes) {
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    return TextBytes.decode(Arrays.copyOf(bytes, length));
  }

  private static byte[] copy(ByteBuffer bytes, int offset, int size) {
    byte[] copy = new byte[size];
    bytes.get(offset, copy);
    return copy;
  }

  /** Of a number that is not a probe site's, returns the function at that address. */
  private String function(long probe) {
    boolean isSite = probe == (int) probe && probeNames.containsKey((int) probe);
    return Escapes.escape(
        isSite
            ? probed(Encoding.ProbedFunction.name(probeNames.getOrDefault((int) probe, "")))
            : target
                .symbols()
                .at(probe)
                .map(Symbol::name)
                .orElseGet(() -> "0x" + Long.toHexString(probe)));
  }

  private String probed(String symbol) {
    return demangles ? Demangled.text(unquoted(symbol)) : symbol;
  }

  private static String unquoted(String symbol) {
    boolean isQuoted = symbol.length() > 1 && symbol.startsWith("\"") && symbol.endsWith("\"");
    return isQuoted ? symbol.substring(1, symbol.length() - 1) : symbol;
  }

  private Datum.Decoded symbol(long address, int process) {
    UserSymbols.Frame frame =
        symbols
            .frames(process, List.of(address))
            .map(frames -> frames.get(0))
            .orElseGet(() -> new UserSymbols.Frame(address));
    String function = frame.symbol().map(Symbol::shown).orElse("0x" + Long.toHexString(address));
    return new Datum.Decoded(Escapes.escape(frame.toString()), Escapes.escape(function));
  }

  private String time(Encoding.Time time, long nanos) {
    return Strftime.format(
        time.pattern(),
        switch (time.clock()) {
          case MONOTONIC -> clock.at(nanos);
          case BOOT -> clock.atBootTime(nanos);
        });
  }
}
