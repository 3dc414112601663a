package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where something is served, {@code [HOST:]PORT}.
 *
 * @param option that gives it, for messages: {@code --web}, {@code prometheus} of a configuration
 * @param host a name or an address, IPv6 without brackets; empty for this machine alone
 * @param port 0 for any that is free
 */
public record ListenAddress(String option, Optional<String> host, int port) {
  private static final int MOST = 65_535;
  private static final Pattern SYNTAX =
      Pattern.compile("(?:(?:\\[([0-9A-Fa-f:.%a-z]+)]|([A-Za-z0-9._-]+)):)?([0-9]{1,5})");

  /**
   * Reads the value of an option.
   *
   * @param option as its user writes it
   */
  public static ListenAddress parse(String option, String text) throws UsageException {
    Matcher parts = SYNTAX.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(3)) > MOST) {
      throw new UsageException(
          option
              + " takes a port from 0 (any that is free) to 65535, or HOST:PORT, not \""
              + text
              + "\"; an IPv6 address is written [::1]:9435");
    }
    Optional<String> host =
        Optional.ofNullable(parts.group(1)).or(() -> Optional.ofNullable(parts.group(2)));
    return new ListenAddress(option, host, Integer.parseInt(parts.group(3)));
  }

  /** Returns what to listen at. */
  public InetSocketAddress socket() throws UsageException {
    try {
      InetAddress address =
          host.isPresent() ? InetAddress.getByName(host.get()) : InetAddress.getLoopbackAddress();
      return new InetSocketAddress(address, port);
    } catch (UnknownHostException e) {
      throw new UsageException(option + ": no host \"" + host.orElse("") + "\" is known");
    }
  }
}
