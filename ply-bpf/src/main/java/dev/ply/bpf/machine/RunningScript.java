package dev.ply.bpf.machine;

import java.io.InputStream;
import java.time.Duration;

/**
 * A shell script that has been started, without input. Its output, errors included, is one stream.
 */
public interface RunningScript extends AutoCloseable {
  /** Returns what the script and all that it starts write. */
  InputStream output();

  /** Waits until the shell has exited, or for {@code most}, and returns whether it has. */
  boolean await(Duration most) throws InterruptedException;

  /** Kills the shell and what it has started, without waiting for their end. */
  void kill();

  /** Leaves alone what still runs, and releases all resources. */
  @Override
  void close();
}
