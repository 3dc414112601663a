package dev.ply.target;

import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * An instruction in a file of code.
 *
 * @param file where it can be opened now
 * @param offset bytes from the file's start
 * @param semaphore bytes from the file's start to the counter that is to be raised while the place
 *     is probed, 0 for none
 * @param process the only process whose hits are wanted, empty for all
 */
public record UserLocation(Path file, long offset, long semaphore, OptionalInt process) {
  /** A place without a semaphore. */
  public UserLocation(Path file, long offset, OptionalInt process) {
    this(file, offset, 0, process);
  }
}
