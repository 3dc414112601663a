package dev.ply.cli.io;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** The output of a trace: passed on, or kept while a test or benchmark runs. Thread-safe. */
public final class SwitchedOutput extends OutputStream {
  /** More of a test's output is dropped. */
  private static final int LIMIT = 1 << 20;

  private final Output output;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private boolean isKept;

  /** Creates what passes on to an output. */
  public SwitchedOutput(Output output) {
    this.output = output;
  }

  /** Keeps what follows. */
  public synchronized void keep() {
    isKept = true;
  }

  /** Returns what has been kept, and passes on what follows. */
  public synchronized byte[] kept() {
    byte[] all = kept.toByteArray();
    kept.reset();
    isKept = false;
    return all;
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int start, int length) {
    if (!isKept) {
      output.write(bytes, start, length);
    } else if (kept.size() < LIMIT) {
      kept.write(bytes, start, length);
    }
  }

  @Override
  public synchronized void flush() {
    if (!isKept) {
      output.flush();
    }
  }
}
