package dev.ply.kernel.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The recorded mappings of a process between two calls of execve(2). Immutable; an image with
 * another mapping shares the rest with the previous one, as a forked process does with its parent.
 */
public sealed interface ProcessImage {
  /** The maximum number of executable mappings per image. */
  int MOST_MAPPINGS = 1 << 10;

  /** Returns an image without mappings: that of a process after execve(2). */
  static ProcessImage empty() {
    return Start.EMPTY;
  }

  /** Returns the image of a process that existed before recording started. */
  static ProcessImage unrecorded(int process) {
    return new Start(OptionalInt.of(process));
  }

  /**
   * The initial image.
   *
   * @param unrecorded the process whose mappings before recording belong to the image
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
   * An image with another mapping.
   *
   * @param count the number of mappings
   * @param heapBytes of all mappings
   */
  record Extended(
      ProcessImage before, FileMapping mapping, OptionalInt unrecorded, int count, long heapBytes)
      implements ProcessImage {}

  /** Returns the process whose mappings before recording belong to the image. */
  OptionalInt unrecorded();

  /** Returns the number of mappings. */
  int count();

  /** Returns the heap size of all mappings in bytes. */
  long heapBytes();

  /**
   * Returns the image with another mapping. Anonymous memory is skipped unless it covers a file:
   * JIT compilers map it all the time.
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

  /** Returns the last mapping at an address. */
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

  /** Returns all mappings that there have been at an address, last one first. */
  default List<FileMapping> allAt(long address) {
    List<FileMapping> mappings = new ArrayList<>();
    ProcessImage image = this;
    while (image instanceof Extended extended) {
      if (extended.mapping().has(address)) {
        mappings.add(extended.mapping());
      }
      image = extended.before();
    }
    return mappings;
  }

  /** Returns the mappings, last one first. */
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
