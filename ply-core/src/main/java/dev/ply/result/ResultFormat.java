package dev.ply.result;

import java.util.List;

/**
 * Writes the results of a trace in one {@link Layout}: lines that probes print, and maps.
 * Thread-safe.
 */
public interface ResultFormat {
  /** Returns how {@code print} shows a value that is not a whole map. */
  ValueFormat values();

  /** Returns how {@code printf} shows the values of its conversions. */
  ValueFormat conversions();

  /** Returns what surrounds {@code count} values of one {@code print}. */
  Frame frame(int count);

  /** Returns what a {@code printf} without arguments writes. */
  String withoutArguments(PrintfFormat format);

  /** Completes what {@code printf} has written from {@code start} to the end of {@code out}. */
  void completePrintf(TextBuffer out, int start);

  /** Writes a map that {@code print} shows alone. */
  void appendMap(TextBuffer out, Datum.Dump map);

  /** Writes all maps of the script at the end of the trace, given in the script's order. */
  void appendMaps(TextBuffer out, List<Datum.Dump> maps);

  /** Writes how many probes are attached, where that is a result and not a message. */
  void appendAttached(TextBuffer out, int probes);

  /** Writes how many events are lost, where that is a result and not a message. */
  void appendLost(TextBuffer out, long events);

  /** What is before, between and after the values of one {@code print}. */
  record Frame(String begin, String separator, String end) {}
}
