package dev.ply.result;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes the results of a trace in one {@link Layout}: lines that probes print, and maps.
 * Thread-safe.
 */
public interface ResultFormat {
  /** Returns the format of values in {@code print}, whole maps excepted. */
  ValueFormat values();

  /** Returns the format of values in {@code printf}. */
  ValueFormat conversions();

  /** Returns the text around {@code count} values of one {@code print}. */
  Frame frame(int count);

  /** Returns the output of a {@code printf} without arguments. */
  String withoutArguments(PrintfFormat format);

  /** Completes the output of a function, from {@code start} to the end of {@code out}. */
  void complete(TextBuffer out, int start, Message message);

  /**
   * Writes what a command has written, or a file: the bytes with their newlines and tabs, other
   * control characters escaped.
   */
  default void appendContent(TextBuffer out, byte[] content, Message message) {
    int start = out.length();
    Escaping escaping =
        conversions().escaping() == Escaping.NONE ? Escaping.NONE : Escaping.ALL_BUT_LINES;
    escaping.append(out, ByteBuffer.wrap(content), 0, content.length);
    complete(out, start, message);
  }

  /** Writes a map printed alone by {@code print}. */
  void appendMap(TextBuffer out, Datum.Dump map);

  /** Writes all maps at the end of the trace, given in script order. */
  void appendMaps(TextBuffer out, List<Datum.Dump> maps);

  /** Writes how many probes are attached, where that is a result and not a message. */
  void appendAttached(TextBuffer out, int probes);

  /** Writes how many events are lost, where that is a result and not a message. */
  void appendLost(TextBuffer out, long events);

  /** The text before, between and after the values of one {@code print}. */
  record Frame(String begin, String separator, String end) {}
}
