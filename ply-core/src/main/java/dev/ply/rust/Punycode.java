package dev.ply.rust;

/** Names with characters beyond ASCII (RFC 3492, with an underscore as delimiter). */
final class Punycode {
  private static final int BASE = 36;
  private static final int FIRST = 128;
  private static final int MOST = 256;

  private Punycode() {}

  static String decode(String text) {
    int delimiter = text.lastIndexOf('_');
    String plain = delimiter > 0 ? text.substring(0, delimiter) : "";
    int[] characters = plain.codePoints().toArray();
    int count = characters.length;
    characters = java.util.Arrays.copyOf(characters, MOST);
    int position = delimiter + 1;
    long code = FIRST;
    long index = 0;
    int bias = 72;
    while (position < text.length()) {
      long old = index;
      long weight = 1;
      for (int k = BASE; ; k += BASE) {
        if (position >= text.length()) {
          throw new UnknownFormException();
        }
        int digit = digit(text.charAt(position++));
        index += digit * weight;
        int threshold = Math.max(1, Math.min(26, k - bias));
        if (digit < threshold) {
          break;
        }
        weight *= BASE - threshold;
        if (weight > Integer.MAX_VALUE || index > Integer.MAX_VALUE) {
          throw new UnknownFormException();
        }
      }
      if (++count > MOST || index > Integer.MAX_VALUE) {
        throw new UnknownFormException();
      }
      bias = adapt(index - old, count, old == 0);
      code += index / count;
      index %= count;
      if (!Character.isValidCodePoint((int) Math.min(code, Integer.MAX_VALUE))) {
        throw new UnknownFormException();
      }
      System.arraycopy(
          characters, (int) index, characters, (int) index + 1, count - 1 - (int) index);
      characters[(int) index++] = (int) code;
    }
    return new String(characters, 0, count);
  }

  private static int digit(char c) {
    if (c >= 'a' && c <= 'z') {
      return c - 'a';
    }
    if (c >= '0' && c <= '9') {
      return c - '0' + 26;
    }
    throw new UnknownFormException();
  }

  private static int adapt(long change, int count, boolean isFirst) {
    long delta = isFirst ? change / 700 : change / 2;
    delta += delta / count;
    int k = 0;
    while (delta > 455) {
      delta /= BASE - 1;
      k += BASE;
    }
    return (int) (k + 36 * delta / (delta + 38));
  }
}
