package dev.ply.result;

import dev.ply.target.Target;
import dev.ply.target.UserSymbols;
import dev.ply.target.WallClock;
import dev.ply.type.Encoding;
import dev.ply.type.Escapes;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Decodes strings that programs leave encoded, with the clocks and symbols of a target. */
public final class StringDecoder {
  private final WallClock clock;
  private final UserSymbols symbols;
  private final Map<Integer, String> probeNames;

  /**
   * Creates a decoder for a target.
   *
   * @param probeNames the definitions of probe sites by number
   */
  public StringDecoder(Target target, UserSymbols symbols, Map<Integer, String> probeNames) {
    this.symbols = symbols;
    this.probeNames = probeNames;
    this.clock = target.wallClock();
  }

  /** Returns the string at {@code offset} of a buffer in the target's byte order. */
  public String decode(Encoding encoding, ByteBuffer bytes, int offset) {
    if (encoding instanceof Encoding.Time time) {
      return time(time, bytes.getLong(offset));
    }
    if (encoding instanceof Encoding.InternetAddress) {
      return InternetAddresses.text(
          bytes.getInt(offset), copy(bytes, offset + Encoding.InternetAddress.FAMILY_BYTES, 16));
    }
    if (encoding instanceof Encoding.MacAddress) {
      return HexFormat.ofDelimiter(":")
          .withUpperCase()
          .formatHex(copy(bytes, offset, Encoding.MacAddress.BYTES));
    }
    if (encoding instanceof Encoding.ErrorMessage) {
      return ErrorMessages.of(bytes.getLong(offset));
    }
    if (encoding instanceof Encoding.SignalName) {
      return SignalNames.of(bytes.getLong(offset));
    }
    if (encoding instanceof Encoding.ProbedFunction) {
      return function(bytes.getLong(offset));
    }
    if (encoding instanceof Encoding.UserSymbol) {
      return symbol(bytes.getLong(offset), (int) bytes.getLong(offset + Long.BYTES));
    }
    throw new IllegalArgumentException("nothing decodes a " + encoding.noun());
  }

  private static byte[] copy(ByteBuffer bytes, int offset, int size) {
    byte[] copy = new byte[size];
    bytes.get(offset, copy);
    return copy;
  }

  /** The definition ends with the function, and possibly an offset. */
  private String function(long probe) {
    String definition = probeNames.getOrDefault((int) probe, "");
    String name = definition.substring(definition.lastIndexOf(':') + 1);
    int offset = name.indexOf('+');
    return Escapes.escape(offset < 0 ? name : name.substring(0, offset));
  }

  private String symbol(long address, int process) {
    return Escapes.escape(
        symbols
            .frames(process, List.of(address))
            .map(frames -> frames.get(0).toString())
            .orElseGet(() -> new UserSymbols.Frame(address).toString()));
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
