package dev.ply.cli.web;

import dev.ply.cli.io.UsageException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a page is served, {@code [HOST:]PORT}.
 *
 * @param host a name or an address, IPv6 without brackets; empty for this machine alone
 * @param port 0 for any that is free
 */
record WebAddress(Optional<String> host, int port) {
  private static final int MOST = 65_535;
  private static final Pattern SYNTAX =
      Pattern.compile("(?:(?:\\[([0-9A-Fa-f:.%a-z]+)]|([A-Za-z0-9._-]+)):)?([0-9]{1,5})");

  /** Reads the value of an option. */
  static WebAddress parse(String text) throws UsageException {
    Matcher parts = SYNTAX.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(3)) > MOST) {
      throw new UsageException(
          "--web takes a port from 0 (any that is free) to 65535, or HOST:PORT, not \""
              + text
              + "\"; an IPv6 address is written [::1]:8080");
    }
    Optional<String> host =
        Optional.ofNullable(parts.group(1)).or(() -> Optional.ofNullable(parts.group(2)));
    return new WebAddress(host, Integer.parseInt(parts.group(3)));
  }

  /** Returns what to listen at. */
  InetSocketAddress socket() throws UsageException {
    try {
      InetAddress address =
          host.isPresent() ? InetAddress.getByName(host.get()) : InetAddress.getLoopbackAddress();
      return new InetSocketAddress(address, port);
    } catch (UnknownHostException e) {
      throw new UsageException("--web: no host \"" + host.orElse("") + "\" is known");
    }
  }
}
