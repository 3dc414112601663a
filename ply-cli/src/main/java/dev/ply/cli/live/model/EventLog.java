package dev.ply.cli.live.model;

import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The newest lines of what would have been printed, by the trace or about it. They are decoded only
 * where somebody sees them, and printed when the view has ended. Thread-safe.
 */
public final class EventLog {
  /** Older lines are counted, and left out. */
  public static final int MOST_LINES = 1_000;

  private static final int MOST_BYTES = 1 << 20;

  private final Deque<Line> kept = new ArrayDeque<>();
  private long bytes;
  private long count;
  private long leftOut;

  /** Whom a line would have been printed for. */
  private enum Stream {
    OUTPUT,
    ERRORS
  }

  /** A line, its newline included. */
  private static final class Line {
    private final Stream stream;
    private final byte[] text;

    Line(Stream stream, byte[] text) {
      this.stream = stream;
      this.text = text;
    }
  }

  /** Splits what is written into lines. */
  private final class Lines extends OutputStream {
    private final Stream stream;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Lines(Stream stream) {
      this.stream = stream;
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] text, int start, int length) {
      synchronized (EventLog.this) {
        int begin = start;
        for (int i = start; i < start + length; i++) {
          if (text[i] == '\n') {
            line.write(text, begin, i + 1 - begin);
            begin = i + 1;
            end();
          }
        }
        line.write(text, begin, start + length - begin);
        if (line.size() > MOST_BYTES) {
          end();
        }
      }
    }

    private void end() {
      add(new Line(stream, line.toByteArray()));
      line.reset();
    }
  }

  /** {@return a stream for what is printed as results} */
  public OutputStream output() {
    return new Lines(Stream.OUTPUT);
  }

  /** {@return a stream for messages} */
  public OutputStream errors() {
    return new Lines(Stream.ERRORS);
  }

  private void add(Line line) {
    count++;
    kept.addLast(line);
    bytes += line.text.length;
    while (kept.size() > MOST_LINES || (bytes > MOST_BYTES && kept.size() > 1)) {
      bytes -= kept.removeFirst().text.length;
      leftOut++;
    }
  }

  /** Forgets all lines. */
  public synchronized void clear() {
    leftOut += kept.size();
    kept.clear();
    bytes = 0;
  }

  /** {@return how many lines there have been} */
  public synchronized long count() {
    return count;
  }

  /** {@return the number of old lines that have been dropped} */
  public synchronized long leftOut() {
    return leftOut;
  }

  /**
   * {@return the newest lines, escaped, the newest last}
   *
   * @param most how many, at most
   */
  public List<String> newest(int most) {
    List<Line> lines;
    synchronized (this) {
      lines = new ArrayList<>(kept);
    }
    return lines.subList(Math.max(0, lines.size() - most), lines.size()).stream()
        .map(line -> TextBytes.decode(line.text).stripTrailing().replace("\t", "    "))
        .map(Escapes::escape)
        .toList();
  }

  /**
   * Writes the lines that are kept to where they would have been, and forgets them.
   *
   * @param output gets results
   * @param errors gets messages
   */
  public synchronized void drain(OutputStream output, OutputStream errors) throws IOException {
    for (Line line : kept) {
      OutputStream stream = line.stream == Stream.OUTPUT ? output : errors;
      stream.write(line.text);
      stream.flush();
    }
    kept.clear();
    bytes = 0;
  }
}
