package dev.ply.kernel;

import dev.ply.kernel.sys.SystemCalls;

/**
 * The signals that were ignored when this process was started; the Java runtime leaves those alone.
 * Thread-safe.
 */
public final class IgnoredSignals {
  private IgnoredSignals() {}

  /**
   * Restores the default action of SIGINT if it is ignored, so that a handler can be installed.
   * Shells that run scripts start background commands with SIGINT ignored; a tracer stops on it
   * nevertheless.
   */
  public static void heedInterrupt() {
    SystemCalls.heedInterrupt();
  }
}
