package dev.ply.kernel.mapping;

/** A change of what processes have mapped. */
sealed interface MappingEvent {
  /** Returns the time of {@code CLOCK_MONOTONIC}, in nanoseconds. */
  long time();

  /** Returns the PID. */
  int process();

  /** A process has an executable mapping. */
  record Mapped(long time, int process, FileMapping mapping) implements MappingEvent {}

  /** A process was forked; it shares or copies its parent's memory. */
  record Forked(long time, int process, int parent) implements MappingEvent {}

  /** A process executes another program: all its mappings are gone. */
  record Executed(long time, int process) implements MappingEvent {}

  /** A process has exited. */
  record Exited(long time, int process) implements MappingEvent {}
}
