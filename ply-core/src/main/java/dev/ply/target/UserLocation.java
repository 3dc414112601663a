package dev.ply.target;

import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * An instruction in an ELF file.
 *
 * @param file a path that can be opened now
 * @param offset bytes from the file's start
 * @param semaphore bytes from the file's start to the USDT semaphore, 0 if missing
 * @param process the only PID whose hits count, empty for all
 */
public record UserLocation(Path file, long offset, long semaphore, OptionalInt process) {
  /**
   * A location without a semaphore.
   *
   * @param file the program or library
   * @param offset bytes from the start of the file
   * @param process the only process whose hits count; empty for all
   */
  public UserLocation(Path file, long offset, OptionalInt process) {
    this(file, offset, 0, process);
  }
}
