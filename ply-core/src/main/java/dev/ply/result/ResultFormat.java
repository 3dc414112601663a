package dev.ply.result;

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

  /** Completes the output of a {@code printf}, from {@code start} to the end of {@code out}. */
  void completePrintf(TextBuffer out, int start);

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
