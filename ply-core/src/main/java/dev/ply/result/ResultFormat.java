package dev.ply.result;

import dev.ply.diagnostic.Diagnostic;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes the results of a trace in one {@link Layout}: lines that probes print, and maps.
 * Thread-safe.
 */
public interface ResultFormat {
  /** {@return the format of values in {@code print}, whole maps excepted} */
  ValueFormat values();

  /** {@return the format of values in {@code printf}} */
  ValueFormat conversions();

  /**
   * {@return the text around {@code count} values of one {@code print}}
   *
   * @param count the number of values, at least 1
   */
  Frame frame(int count);

  /**
   * {@return the output of a {@code printf} without arguments}
   *
   * @param format of the call
   */
  String withoutArguments(PrintfFormat format);

  /**
   * Completes the output of a function, from {@code start} to the end of {@code out}.
   *
   * @param out whose end is completed
   * @param start the index of the first byte of the output
   * @param message the function that writes
   */
  void complete(TextBuffer out, int start, Message message);

  /**
   * Writes what a command has written, or a file: the bytes with their newlines and tabs, other
   * control characters escaped.
   *
   * @param out receives the bytes
   * @param content of any bytes
   * @param message the function that writes
   */
  default void appendContent(TextBuffer out, byte[] content, Message message) {
    int start = out.length();
    Escaping escaping =
        conversions().escaping() == Escaping.NONE ? Escaping.NONE : Escaping.ALL_BUT_LINES;
    escaping.append(out, ByteBuffer.wrap(content), 0, content.length);
    complete(out, start, message);
  }

  /**
   * Writes a map printed alone by {@code print}.
   *
   * @param out receives the map
   * @param map with its name
   */
  void appendMap(TextBuffer out, Datum.Dump map);

  /**
   * {@return the table of the {@code count} rows with the largest values, of distributions those
   * with most; in bpftrace's layout, the rows that it shows last}
   *
   * @param table of a map
   * @param count the maximum number of rows, from 0 up
   */
  Table<Datum> largest(Table<Datum> table, int count);

  /**
   * Writes all maps at the end of the trace, given in script order.
   *
   * @param out receives the maps
   * @param maps in script order
   */
  void appendMaps(TextBuffer out, List<Datum.Dump> maps);

  /**
   * Writes how many probes are attached, where that is a result and not a message.
   *
   * @param out receives the line
   * @param probes the number of attached probes
   */
  void appendAttached(TextBuffer out, int probes);

  /**
   * Writes how many events are lost, where that is a result and not a message.
   *
   * @param out receives the line
   * @param events the number of lost events
   */
  void appendLost(TextBuffer out, long events);

  /**
   * Writes what has failed while a program ran, where that is a result and not a message.
   *
   * @param out receives the line
   * @param error with its position
   */
  default void appendError(TextBuffer out, RuntimeError error) {}

  /**
   * Writes what a script reports by {@code errorf} or {@code warnf}, where that is a result and not
   * a message.
   *
   * @param out receives the line
   * @param report its severity, its position, and its text as the script formats it
   */
  default void appendReport(TextBuffer out, Diagnostic report) {}

  /**
   * Writes the result of a test of a script, where that is a result and not a message.
   *
   * @param out receives the line
   * @param name of the test
   * @param nanos how long it took
   * @param hasPassed whether it has reported no error
   * @param output what it has printed
   */
  default void appendTest(
      TextBuffer out, String name, long nanos, boolean hasPassed, byte[] output) {}

  /**
   * Writes the result of a benchmark of a script, where that is a result and not a message.
   *
   * @param out receives the line
   * @param name of the benchmark
   * @param nanos how long one run took, on average
   * @param runs how often it was run
   */
  default void appendBenchmark(TextBuffer out, String name, long nanos, long runs) {}

  /**
   * The text before, between and after the values of one {@code print}.
   *
   * @param begin before the first value
   * @param separator between two values
   * @param end after the last value
   */
  record Frame(String begin, String separator, String end) {}
}
