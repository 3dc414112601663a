package dev.ply.kernel.mapping;

/** A change of processes' mappings. */
sealed interface MappingEvent {
  /** Returns the time of {@code CLOCK_MONOTONIC}, in nanoseconds. */
  long time();

  /** Returns the PID. */
  int process();

  /** A process maps executable memory. */
  record Mapped(long time, int process, FileMapping mapping) implements MappingEvent {}

  /** A fork: the child shares or copies its parent's memory. */
  record Forked(long time, int process, int parent) implements MappingEvent {}

  /** An execve(2): all mappings of the process are gone. */
  record Executed(long time, int process) implements MappingEvent {}

  /** A process has exited. */
  record Exited(long time, int process) implements MappingEvent {}
}
