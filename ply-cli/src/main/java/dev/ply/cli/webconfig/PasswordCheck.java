package dev.ply.cli.webconfig;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks user and password of each request, and sets headers of its response. An unknown user takes
 * as long as a wrong password. A check that was made is remembered, and one is made at a time, with
 * few that wait: who guesses passwords delays nobody whose password is known. Thread-safe.
 */
final class PasswordCheck extends Authenticator {
  private static final int UNAUTHORIZED = 401;
  private static final int BUSY = 503;

  /** Remembered checks, the right and the wrong ones. */
  private static final int MOST_KNOWN = 100;

  /** Requests that wait for a check. */
  private static final int MOST_WAITING = 4;

  private static final long PATIENCE = 5;
  private static final String REALM = "ply";

  private final Map<String, String> headers;
  private final Supplier<Map<String, String>> users;
  private final byte[] salt = new byte[16];
  private final Semaphore checking = new Semaphore(1, true);
  private final Semaphore waiting = new Semaphore(MOST_WAITING);
  private final BCrypt.Verifyer verifier =
      BCrypt.verifyer(
          BCrypt.Version.VERSION_2A, LongPasswordStrategies.truncate(BCrypt.Version.VERSION_2A));

  /** Guarded by itself. */
  private final Map<ByteBuffer, Boolean> known =
      new LinkedHashMap<>(MOST_KNOWN, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Boolean> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  private record Credentials(String user, String password) {}

  PasswordCheck(Map<String, String> headers, Supplier<Map<String, String>> users) {
    this.headers = headers;
    this.users = users;
    new SecureRandom().nextBytes(salt);
  }

  @Override
  public Result authenticate(HttpExchange exchange) {
    headers.forEach(exchange.getResponseHeaders()::set);
    Map<String, String> hashes = users.get();
    if (hashes.isEmpty()) {
      return new Success(new HttpPrincipal("anyone", REALM));
    }
    Optional<Credentials> given =
        credentials(exchange.getRequestHeaders().getFirst("Authorization"));
    Optional<Boolean> isRight = given.isPresent() ? check(given.get(), hashes) : Optional.of(false);
    if (isRight.isEmpty()) {
      exchange.getResponseHeaders().set("Retry-After", "1");
      return new Failure(BUSY);
    }
    if (isRight.get()) {
      return new Success(new HttpPrincipal(given.orElseThrow().user(), REALM));
    }
    exchange.getResponseHeaders().set("WWW-Authenticate", "Basic");
    return new Failure(UNAUTHORIZED);
  }

  private static Optional<Credentials> credentials(@Nullable String text) {
    if (text == null || !text.regionMatches(true, 0, "Basic ", 0, 6)) {
      return Optional.empty();
    }
    try {
      String both =
          new String(Base64.getDecoder().decode(text.substring(6).strip()), StandardCharsets.UTF_8);
      int colon = both.indexOf(':');
      return colon < 0
          ? Optional.empty()
          : Optional.of(new Credentials(both.substring(0, colon), both.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns whether a password is right; empty if too many others are checked. */
  private Optional<Boolean> check(Credentials given, Map<String, String> hashes) {
    // Of an unknown user, some hash is checked, for the time that it takes.
    String hash = hashes.getOrDefault(given.user(), hashes.values().iterator().next());
    boolean isUser = hashes.containsKey(given.user());
    ByteBuffer key = digest(given, hash);
    synchronized (known) {
      Boolean before = known.get(key);
      if (before != null) {
        return Optional.of(before && isUser);
      }
    }
    if (!waiting.tryAcquire()) {
      return Optional.empty();
    }
    try {
      if (!checking.tryAcquire(PATIENCE, TimeUnit.SECONDS)) {
        return Optional.empty();
      }
      try {
        boolean isRight = matches(given.password(), hash) && isUser;
        synchronized (known) {
          known.put(key, isRight);
        }
        return Optional.of(isRight);
      } finally {
        checking.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      waiting.release();
    }
  }

  private boolean matches(String password, String hash) {
    return verifier.verify(
            password.getBytes(StandardCharsets.UTF_8), hash.getBytes(StandardCharsets.US_ASCII))
        .verified;
  }

  private ByteBuffer digest(Credentials given, String hash) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(salt);
      for (String part : new String[] {given.user(), hash, given.password()}) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        digest.update(bytes);
      }
      return ByteBuffer.wrap(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
