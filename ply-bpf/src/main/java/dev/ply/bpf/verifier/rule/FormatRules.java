package dev.ply.bpf.verifier.rule;

import java.util.Optional;

/** Checks format strings of printing helpers (bpf_bprintf_prepare in kernel/bpf/helpers.c). */
public final class FormatRules {
  private final byte[] format;
  private final long values;
  private int position;
  private long used;

  private FormatRules(byte[] format, long values) {
    this.format = format;
    this.values = values;
  }

  /** Returns what is wrong with a format for {@code values} arguments, or empty. */
  public static Optional<String> problem(byte[] format, long values) {
    return new FormatRules(format, values).problem();
  }

  private Optional<String> problem() {
    while (position < format.length) {
      int next = peek(0);
      if (!isText(next)) {
        return Optional.of("has a non-ASCII byte at " + position);
      }
      position++;
      if (next == '%') {
        if (peek(0) == '%') {
          position++;
          continue;
        }
        int start = position - 1;
        if (used++ >= values) {
          return Optional.of("has more conversions than its " + values + " values");
        }
        if (!convert()) {
          return Optional.of("has an unknown conversion at " + start);
        }
      }
    }
    return Optional.empty();
  }

  /** Skips a conversion; returns false if it is invalid. */
  private boolean convert() {
    while ("0+- ".indexOf(peek(0)) >= 0) {
      position++;
    }
    while (isDigit(peek(0))) {
      position++;
    }
    return switch (peek(0)) {
      case 'p' -> address();
      case 's' -> endsAfter(1);
      case 'c' -> skip(1);
      default -> number();
    };
  }

  private boolean address() {
    int kind = peek(1);
    if (endsConversion(kind)) {
      return skip(1);
    }
    return switch (kind) {
      case 'k', 'u' -> peek(2) == 's' && endsAfter(3);
      case 'K', 'x', 's', 'S', 'B' -> skip(2);
      case 'i', 'I' -> (peek(2) == '4' || peek(2) == '6') && skip(3);
      default -> false;
    };
  }

  private boolean number() {
    int longs = peek(0) != 'l' ? 0 : peek(1) != 'l' ? 1 : 2;
    return peek(longs) != 0 && "iduxX".indexOf(peek(longs)) >= 0 && skip(longs + 1);
  }

  private boolean endsAfter(int length) {
    return endsConversion(peek(length)) && skip(length);
  }

  private boolean skip(int length) {
    position += length;
    return true;
  }

  private int peek(int distance) {
    return position + distance < format.length ? format[position + distance] & 0xff : 0;
  }

  private static boolean endsConversion(int next) {
    return next == 0 || isSpace(next) || isPunctuation(next);
  }

  private static boolean isText(int next) {
    return (next >= ' ' && next <= '~') || isSpace(next);
  }

  private static boolean isSpace(int next) {
    return next == ' ' || (next >= '\t' && next <= '\r');
  }

  private static boolean isDigit(int next) {
    return next >= '0' && next <= '9';
  }

  private static boolean isPunctuation(int next) {
    boolean isLetter = (next | 0x20) >= 'a' && (next | 0x20) <= 'z';
    return next > ' ' && next <= '~' && !isDigit(next) && !isLetter;
  }
}
