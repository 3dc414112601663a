package dev.ply.cli.io;

import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;

/** Why a request had no answer, for a message: the JDK often has no words for it. */
public final class HttpFailure {
  private HttpFailure() {}

  /** Returns the reason in a few words: {@code connection refused}. */
  public static String reason(Throwable thrown) {
    boolean connects = false;
    Throwable deepest = thrown;
    while (true) {
      connects |= deepest instanceof ConnectException;
      if (deepest instanceof HttpConnectTimeoutException) {
        return "no connection in time";
      }
      if (deepest instanceof HttpTimeoutException) {
        return "no answer in time";
      }
      if (deepest instanceof UnresolvedAddressException) {
        return "its name is not known";
      }
      if (deepest instanceof SSLException) {
        return "TLS failed: " + deepest.getMessage();
      }
      if (deepest.getCause() == null) {
        break;
      }
      deepest = deepest.getCause();
    }
    String message = deepest.getMessage();
    return connects
        ? "connection refused"
        : message == null ? deepest.getClass().getSimpleName() : message;
  }
}
