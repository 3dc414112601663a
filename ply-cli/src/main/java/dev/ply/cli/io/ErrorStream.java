package dev.ply.cli.io;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The error stream, in UTF-8, buffered. Somebody else can get what is written to it for a while.
 */
public final class ErrorStream extends PrintStream {
  private final Target target;

  /** What is written to. */
  private static final class Target extends OutputStream {
    private final OutputStream usual;
    private volatile OutputStream current;

    Target(OutputStream usual) {
      this.usual = usual;
      this.current = usual;
    }

    @Override
    public void write(int value) throws IOException {
      current.write(value);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      current.write(bytes, start, length);
    }

    @Override
    public void flush() throws IOException {
      current.flush();
    }
  }

  /** Creates what writes to a stream. */
  public ErrorStream(OutputStream stream) {
    this(new Target(stream));
  }

  private ErrorStream(Target target) {
    super(target, false, StandardCharsets.UTF_8);
    this.target = target;
  }

  /** Writes to another stream from now on. */
  public void divert(OutputStream other) {
    flush();
    target.current = other;
  }

  /** Writes to its own stream again. */
  public void restore() {
    flush();
    target.current = target.usual;
  }
}
