package dev.ply.cli.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which requests are answered: those for a path with the token, a random number of 128
 * bits, by a name of this machine.
 */
final class RequestCheck {
  private static final int TOKEN_BYTES = 16;

  /** The port can be another one: of a tunnel. */
  private static final Pattern PORT = Pattern.compile(":[0-9]*$");

  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.%]+]");

  private final String token;
  private final Set<String> names;

  /**
   * Creates a check with a new token.
   *
   * @param names by which the machine is reached, besides {@code localhost} and addresses
   */
  RequestCheck(Set<String> names) {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    this.token = HexFormat.of().formatHex(random);
    this.names = Set.copyOf(names);
  }

  /** Returns the first part of all paths. */
  String token() {
    return token;
  }

  /** Returns the path after the token, {@code /events}; empty if it has not the token. */
  Optional<String> resource(String path) {
    String first = path.startsWith("/") ? path.substring(1) : path;
    int end = first.indexOf('/');
    String given = end < 0 ? first : first.substring(0, end);
    // Takes as long for any text of a length: nothing tells how much of it is right.
    boolean isToken =
        MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    return isToken ? Optional.of(end < 0 ? "/" : first.substring(end)) : Optional.empty();
  }

  /**
   * Returns whether a request's {@code Host} is of this machine. A page of another site whose name
   * its owner has made one of this machine's addresses sends that name.
   */
  boolean isOfThisMachine(Optional<String> host) {
    String name = PORT.matcher(host.orElse("").toLowerCase(Locale.ROOT)).replaceFirst("");
    return name.equals("localhost") || names.contains(name) || ADDRESS.matcher(name).matches();
  }
}
