package dev.ply.kernel.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a process has mapped between two calls of exec, as far as it was recorded. Immutable; an
 * image with one mapping more shares the others with the image before, as a forked process does
 * with its parent.
 */
public sealed interface ProcessImage {
  /** Executable mappings of one image; more are left out. */
  int MOST_MAPPINGS = 1 << 10;

  /** Returns an image without any mapping: that of a process that has just called exec. */
  static ProcessImage empty() {
    return Start.EMPTY;
  }

  /** Returns the image of a process that was there before recording began. */
  static ProcessImage unrecorded(int process) {
    return new Start(OptionalInt.of(process));
  }

  /**
   * The first image.
   *
   * @param unrecorded the process whose mappings before recording are in the image as well
   */
  record Start(OptionalInt unrecorded) implements ProcessImage {
    private static final Start EMPTY = new Start(OptionalInt.empty());

    @Override
    public int count() {
      return 0;
    }

    @Override
    public long heapBytes() {
      return 0;
    }
  }

  /**
   * An image with one mapping more.
   *
   * @param count of mappings
   * @param heapBytes of all mappings
   */
  record Extended(
      ProcessImage before, FileMapping mapping, OptionalInt unrecorded, int count, long heapBytes)
      implements ProcessImage {}

  /** Returns the process whose mappings before recording began are in the image as well. */
  OptionalInt unrecorded();

  /** Returns the number of mappings. */
  int count();

  /** Returns the heap that all mappings occupy, in bytes. */
  long heapBytes();

  /**
   * Returns the image with another mapping. Memory without a file is left out unless it hides a
   * file: runtimes that compile code map it all the time.
   */
  default ProcessImage with(FileMapping mapping) {
    boolean matters =
        mapping.isNamed()
            ? at(mapping.start()).filter(mapping::equals).isEmpty()
            : mappings().stream().anyMatch(mapping::overlaps);
    return matters && count() < MOST_MAPPINGS
        ? new Extended(this, mapping, unrecorded(), count() + 1, heapBytes() + mapping.heapBytes())
        : this;
  }

  /** Returns what was mapped last at an address. */
  default Optional<FileMapping> at(long address) {
    ProcessImage image = this;
    while (image instanceof Extended extended) {
      if (extended.mapping().has(address)) {
        return Optional.of(extended.mapping());
      }
      image = extended.before();
    }
    return Optional.empty();
  }

  /** Returns the mappings, the last one first. */
  default List<FileMapping> mappings() {
    List<FileMapping> mappings = new ArrayList<>();
    ProcessImage image = this;
    while (image instanceof Extended extended) {
      mappings.add(extended.mapping());
      image = extended.before();
    }
    return mappings;
  }
}
