package dev.ply.value;

import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.NetworkBuiltins;

/** Addresses of networks, and their byte order. Meant for static import, beside {@link Values}. */
public final class NetworkValues {
  private NetworkValues() {}

  /**
   * {@return an IP address as a string: a number, or an array of 4 or 16 bytes}
   *
   * @param address a number of 32 bits in network byte order, or an array of 4 or 16 bytes
   */
  public static Value ntop(Value address) {
    return Value.call(NetworkBuiltins.NTOP, address);
  }

  /**
   * {@return an IP address of a family, AF_INET or AF_INET6, as a string}
   *
   * @param family {@code AF_INET} (2) or {@code AF_INET6} (10)
   * @param address as for {@link #ntop(Value)}
   */
  public static Value ntop(Value family, Value address) {
    return Value.call(NetworkBuiltins.NTOP, family, address);
  }

  /**
   * {@return a MAC address of six bytes as a string}
   *
   * @param bytes an array of six bytes
   */
  public static Value macaddr(Value bytes) {
    return Value.call(NetworkBuiltins.MACADDR, bytes);
  }

  /**
   * {@return a number with reversed byte order}
   *
   * @param number an integer
   */
  public static Value bswap(Value number) {
    return Value.call(NetworkBuiltins.BSWAP, number);
  }

  /**
   * {@return the bytes of an IPv4 or IPv6 address, in network order}
   *
   * @param address in the usual notation: {@code "127.0.0.1"}, {@code "::1"}
   */
  public static Value pton(String address) {
    return Value.call(NetworkBuiltins.PTON, Values.text(address));
  }
}
