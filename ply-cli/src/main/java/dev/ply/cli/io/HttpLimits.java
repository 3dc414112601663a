package dev.ply.cli.io;

import java.util.Map;

/**
 * Limits of the JDK's HTTP server that are no methods: it reads them once, before the first server
 * of a process is made.
 */
public final class HttpLimits {
  /** For requests in seconds, and for connections. */
  private static final Map<String, String> LIMITS =
      Map.of(
          "sun.net.httpserver.maxReqTime", "5",
          "sun.net.httpserver.idleInterval", "30",
          "sun.net.httpserver.maxIdleConnections", "32",
          "jdk.httpserver.maxConnections", "256",
          "sun.net.httpserver.maxReqHeaders", "100",
          // Of a body, nothing: a thread would wait for it.
          "sun.net.httpserver.drainAmount", "0",
          "sun.net.httpserver.nodelay", "true");

  private HttpLimits() {}

  /** Sets the limits, which has to come before any server. */
  public static void set() {
    LIMITS.forEach(System::setProperty);
  }
}
