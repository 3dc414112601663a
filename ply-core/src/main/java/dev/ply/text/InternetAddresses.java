package dev.ply.text;

import dev.ply.type.Encoding.InternetAddress;
import java.util.Locale;

/** Formats IP addresses: IPv4 with dots, IPv6 as RFC 5952 recommends. */
public final class InternetAddresses {
  private static final int GROUPS = 8;

  private InternetAddresses() {}

  /**
   * {@return the address in 16 bytes, of which IPv4 uses the first four; empty for other families}
   *
   * @param family {@code AF_INET} or {@code AF_INET6} as Linux numbers them
   * @param bytes 16, in network order
   */
  public static String text(int family, byte[] bytes) {
    return switch (family) {
      case InternetAddress.IPV4 -> dotted(bytes, 0);
      case InternetAddress.IPV6 -> isMapped(bytes) ? "::ffff:" + dotted(bytes, 12) : groups(bytes);
      default -> "";
    };
  }

  private static String dotted(byte[] bytes, int from) {
    return String.format(
        Locale.ROOT,
        "%d.%d.%d.%d",
        bytes[from] & 0xff,
        bytes[from + 1] & 0xff,
        bytes[from + 2] & 0xff,
        bytes[from + 3] & 0xff);
  }

  /** Returns whether this is an IPv4-mapped IPv6 address. */
  private static boolean isMapped(byte[] bytes) {
    for (int i = 0; i < 5; i++) {
      if (group(bytes, i) != 0) {
        return false;
      }
    }
    return group(bytes, 5) == 0xffff;
  }

  private static int group(byte[] bytes, int index) {
    return (bytes[2 * index] & 0xff) << 8 | (bytes[2 * index + 1] & 0xff);
  }

  /** The first of the longest runs of zeroes, at least two, is omitted. */
  private static String groups(byte[] bytes) {
    int longest = 0;
    int start = -1;
    for (int i = 0; i < GROUPS; i++) {
      int length = 0;
      while (i + length < GROUPS && group(bytes, i + length) == 0) {
        length++;
      }
      if (length > longest) {
        longest = length;
        start = i;
      }
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (longest > 1 && i == start) {
        out.append("::");
        i += longest - 1;
      } else {
        boolean isFirst = out.length() == 0 || out.charAt(out.length() - 1) == ':';
        out.append(isFirst ? "" : ":").append(Integer.toHexString(group(bytes, i)));
      }
    }
    return out.toString();
  }
}
