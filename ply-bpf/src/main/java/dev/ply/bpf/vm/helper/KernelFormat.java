package dev.ply.bpf.vm.helper;

import dev.ply.type.AddressSpace;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Formats strings like bpf_bprintf_prepare in kernel/bpf/helpers.c.
 *
 * <p>Conversions: {@code %d %i %u %x %X %c %s %p} with length modifiers and widths, and {@code %px
 * %pK %ps %pS %pB %pks %pus}.
 */
final class KernelFormat {
  private static final String CONVERSIONS = "diuxXcsp";

  /** The arguments of a format, by index. */
  @FunctionalInterface
  interface Values {
    long at(int index);
  }

  private final ProbeReader probe;
  private final byte[] format;
  private final int available;
  private final Values values;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int position;
  private int used;

  private KernelFormat(ProbeReader probe, byte[] format, int available, Values values) {
    this.probe = probe;
    this.format = format;
    this.available = available;
    this.values = values;
  }

  /**
   * Returns the formatted string, or empty where the kernel returns -EINVAL: for an unknown
   * conversion, or more conversions than arguments.
   *
   * @param format ends at its first NUL, if any
   * @param available the number of arguments
   */
  static Optional<byte[]> apply(ProbeReader probe, byte[] format, int available, Values values) {
    KernelFormat formatter = new KernelFormat(probe, format, available, values);
    return formatter.run() ? Optional.of(formatter.out.toByteArray()) : Optional.empty();
  }

  private boolean run() {
    while (position < format.length && format[position] != 0) {
      int next = format[position++];
      if (next != '%') {
        out.write(next);
      } else if (peek() == '%') {
        out.write(format[position++]);
      } else if (!convert()) {
        return false;
      }
    }
    return true;
  }

  private boolean convert() {
    String flags = takeAll("0+- ");
    String width = takeAll("0123456789");
    int longs = takeAll("l").length();
    char conversion = (char) peek();
    position++;
    if (CONVERSIONS.indexOf(conversion) < 0 || longs > 2 || used == available) {
      return false;
    }
    long value = values.at(used++);
    String text =
        switch (conversion) {
          case 'd', 'i' -> signed(flags, longs > 0 ? value : (int) value);
          case 'u' -> Long.toUnsignedString(truncate(longs, value));
          case 'x' -> Long.toHexString(truncate(longs, value));
          case 'X' -> Long.toHexString(truncate(longs, value)).toUpperCase(java.util.Locale.ROOT);
          case 'c' -> String.valueOf((char) (value & 0xff));
          case 's' -> string(AddressSpace.KERNEL, value);
          default -> pointer(value);
        };
    boolean isNumber = conversion != 'c' && conversion != 's';
    String padding = isNumber ? flags : flags.replace("0", "");
    byte[] padded = pad(text, padding, width).getBytes(StandardCharsets.ISO_8859_1);
    out.write(padded, 0, padded.length);
    return true;
  }

  private String pointer(long value) {
    String kind = takeAll("xKsSBku");
    return switch (kind) {
      case "ks" -> string(AddressSpace.KERNEL, value);
      case "us" -> string(AddressSpace.USER, value);
      default -> String.format("%016x", value);
    };
  }

  private String string(AddressSpace space, long address) {
    StringBuilder text = new StringBuilder();
    for (long at = address; ; at++) {
      int next = probe.byteAt(space, at);
      if (next <= 0) {
        return text.toString();
      }
      text.append((char) next);
    }
  }

  private static String pad(String text, String flags, String width) {
    int missing = width.isEmpty() ? 0 : Integer.parseInt(width) - text.length();
    if (missing <= 0) {
      return text;
    }
    if (flags.contains("-")) {
      return text + " ".repeat(missing);
    }
    if (!flags.contains("0")) {
      return " ".repeat(missing) + text;
    }
    int sign = "+- ".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
    return text.substring(0, sign) + "0".repeat(missing) + text.substring(sign);
  }

  private static String signed(String flags, long value) {
    String sign = value < 0 ? "" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
    return sign + value;
  }

  private static long truncate(int longs, long value) {
    return longs > 0 ? value : Integer.toUnsignedLong((int) value);
  }

  private String takeAll(String accepted) {
    int start = position;
    while (accepted.indexOf(peek()) >= 0) {
      position++;
    }
    return new String(format, start, position - start, StandardCharsets.ISO_8859_1);
  }

  private int peek() {
    return position < format.length ? format[position] & 0xff : 0;
  }
}
