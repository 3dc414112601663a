package dev.ply.cli.io;

import dev.ply.text.TextBuffer;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * The command's standard output: buffered by default. After the first write error, output is
 * dropped. Thread-safe.
 */
public final class Output extends OutputStream {
  private static final int BUFFER = 1 << 16;

  private OutputStream stream;
  private final byte[] buffer = new byte[BUFFER];
  private int waiting;
  private Buffering buffering = Buffering.FULL;
  private boolean isHeld;
  private boolean isUnused = true;

  /** Whether the stream is a file that this has opened. */
  private boolean isFile;

  /** When the write under way began, in nanoseconds; 0 without one. */
  private volatile long writing;

  private Optional<IOException> failure = Optional.empty();

  /** Gets what would go to the terminal. */
  private Optional<OutputStream> diversion = Optional.empty();

  /** When output is written. */
  public enum Buffering {
    /** When the buffer is full, and when no more output is pending. */
    FULL,
    /** After each line. */
    LINE,
    /** Immediately. */
    NONE
  }

  /** Creates an output that a stream gets. */
  public Output(OutputStream stream) {
    this.stream = stream;
  }

  /** Changes when output is written. */
  public synchronized void buffer(Buffering chosen) {
    buffering = chosen;
  }

  /**
   * Redirects output to a file, which is created or truncated.
   *
   * @throws UsageException if it cannot be written
   */
  public void redirect(Path file) throws UsageException {
    redirect(file, false);
  }

  /** Redirects output as {@link #redirect(Path)} does, compressed by gzip if so chosen. */
  synchronized void redirect(Path file, boolean isCompressed) throws UsageException {
    flush();
    stream = open(file, isCompressed);
    isFile = true;
  }

  /** Returns the output that a file gets, which is created or truncated. */
  static Output ofFile(Path file, boolean isCompressed) throws UsageException {
    Output output = new Output(open(file, isCompressed));
    output.isFile = true;
    return output;
  }

  private static OutputStream open(Path file, boolean isCompressed) throws UsageException {
    try {
      OutputStream opened = Files.newOutputStream(file);
      return isCompressed ? new GZIPOutputStream(opened) : opened;
    } catch (IOException e) {
      throw new UsageException(file + " cannot be written: " + reason(e));
    }
  }

  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return e instanceof NoSuchFileException ? "no such directory" : String.valueOf(e.getMessage());
  }

  /** Writes to another stream from now on; a file still gets its output, too. */
  public synchronized void divert(OutputStream other) {
    flush();
    diversion = Optional.of(other);
  }

  /** Writes to its own stream again. */
  public synchronized void restore() {
    flush();
    diversion = Optional.empty();
  }

  /** Prints a string in UTF-8, newlines included. */
  public void print(String text) {
    byte[] bytes = TextBytes.encode(text);
    write(bytes, 0, bytes.length);
  }

  /** Prints a string as {@link #print(String)} does, and returns the exit status. */
  public int printed(String text) {
    print(text);
    return ExitCode.OK;
  }

  /** Prints the content of {@code text}. */
  public void print(TextBuffer text) {
    try {
      text.writeTo(this);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int start, int length) {
    isUnused &= length == 0;
    if (length > BUFFER - waiting) {
      sendWaiting();
    }
    if (length > BUFFER) {
      send(bytes, start, length);
      return;
    }
    System.arraycopy(bytes, start, buffer, waiting, length);
    waiting += length;
    if (buffering == Buffering.NONE
        || (buffering == Buffering.LINE && length > 0 && bytes[start + length - 1] == '\n')) {
      flush();
    }
  }

  /** Keeps output back until {@link #release}, as far as the buffer has room for it. */
  public synchronized void hold() {
    flush();
    isHeld = true;
  }

  /** Writes {@code first}, then what has been kept back; nothing if nothing is kept. */
  public synchronized void release(TextBuffer first) {
    if (isHeld) {
      isHeld = false;
      byte[] kept = Arrays.copyOf(buffer, waiting);
      waiting = 0;
      print(first);
      write(kept, 0, kept.length);
      flush();
    }
  }

  /** Writes what is buffered, unless it is held. */
  @Override
  public synchronized void flush() {
    if (!isHeld) {
      sendWaiting();
    }
  }

  /** Writes what is buffered, and closes the file, if this is one. */
  @Override
  public synchronized void close() {
    flush();
    if (isFile) {
      try {
        stream.close();
      } catch (IOException e) {
        failure = failure.or(() -> Optional.of(e));
      }
      isFile = false;
      stream = OutputStream.nullOutputStream();
    }
  }

  private void sendWaiting() {
    if (waiting > 0) {
      send(buffer, 0, waiting);
      waiting = 0;
    }
  }

  private void send(byte[] bytes, int start, int length) {
    if (failure.isPresent()) {
      return;
    }
    // An odd number is not zero.
    writing = System.nanoTime() | 1;
    try {
      if (diversion.isPresent()) {
        diversion.get().write(bytes, start, length);
      }
      if (isFile || diversion.isEmpty()) {
        stream.write(bytes, start, length);
        stream.flush();
      }
    } catch (IOException e) {
      failure = Optional.of(e);
    } finally {
      writing = 0;
    }
  }

  /** Returns whether a write is blocked because nobody reads the output; does not wait. */
  public boolean isBlockedFor(Duration time) {
    long began = writing;
    return began != 0 && System.nanoTime() - began >= time.toNanos();
  }

  /** Returns whether nothing has been printed yet. */
  public synchronized boolean isUnused() {
    return isUnused;
  }

  /** Returns whether output is being dropped. */
  public synchronized boolean hasFailed() {
    return failure.isPresent();
  }

  /** Returns the write error, except for a closed pipe. */
  public synchronized Optional<String> fault() {
    return failure.map(e -> String.valueOf(e.getMessage())).filter(why -> !isClosedPipe(why));
  }

  private static boolean isClosedPipe(String why) {
    return why.contains("Broken pipe");
  }
}
