package dev.ply.cli;

import dev.ply.type.TextBytes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * The command's standard output: UTF-8, buffered unless asked otherwise. The first failure to write
 * is kept, and what is printed after it is dropped. Thread-safe.
 */
final class Output {
  private static final int BUFFER = 1 << 16;

  private final OutputStream stream;
  private boolean buffered = true;
  private Optional<IOException> failure = Optional.empty();

  Output(OutputStream stream) {
    this.stream = new BufferedOutputStream(stream, BUFFER);
  }

  /** Writes each piece at once from now on. */
  synchronized void unbuffer() {
    buffered = false;
  }

  /** Prints text, its ends of line included. */
  synchronized void print(String text) {
    if (failure.isPresent()) {
      return;
    }
    try {
      stream.write(TextBytes.encode(text));
      if (!buffered) {
        stream.flush();
      }
    } catch (IOException e) {
      failure = Optional.of(e);
    }
  }

  /** Writes what is buffered. */
  synchronized void flush() {
    if (failure.isPresent()) {
      return;
    }
    try {
      stream.flush();
    } catch (IOException e) {
      failure = Optional.of(e);
    }
  }

  /** Tells whether output is lost from now on. */
  synchronized boolean hasFailed() {
    return failure.isPresent();
  }

  /** Returns why output is lost, unless only its reader has gone away. */
  synchronized Optional<String> fault() {
    return failure.map(e -> String.valueOf(e.getMessage())).filter(why -> !isClosedPipe(why));
  }

  private static boolean isClosedPipe(String why) {
    return why.contains("Broken pipe");
  }
}
