package dev.ply.examples.benchmark;

import java.io.IOException;

/** A process that waits to work, so that it can be traced by its number, and is measured then. */
interface Work extends AutoCloseable {
  /** Returns the PID of the traced process. */
  long pid();

  /** Has it work, waits for its end, and returns the time it took, as little as can be told. */
  double quietRun() throws IOException, InterruptedException;

  @Override
  void close();
}
