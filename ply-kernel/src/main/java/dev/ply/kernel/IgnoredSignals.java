package dev.ply.kernel;

import dev.ply.kernel.sys.SystemCalls;

/**
 * The signals that this process was started to ignore, which a Java runtime then leaves alone.
 * Thread-safe.
 */
public final class IgnoredSignals {
  private IgnoredSignals() {}

  /**
   * Has SIGINT no longer ignored, so that a handler can be installed. Shells that run scripts start
   * what they leave in the background so; a tracer is to end by it all the same.
   */
  public static void heedInterrupt() {
    SystemCalls.heedInterrupt();
  }
}
