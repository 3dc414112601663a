package dev.ply.bpf.unwind;

import java.util.Arrays;
import java.util.Optional;

/** Why a walk ended where it did. */
public enum UnwindEnd {
  /** The outermost function of the thread was reached. */
  COMPLETE(0),
  /** There are as many frames as fit. */
  FULL(1),
  /** The address is in no executable mapping that is known. */
  NO_MAPPING(2),
  /**
   * There is no unwind information for the address, or no frame pointer where there is no table.
   */
  NO_TABLE(3),
  /** The rule for the address is of an unsupported kind. */
  UNSUPPORTED(4),
  /** The stack could not be read, or is not ascending. */
  UNREADABLE(5),
  /** By frame pointers: the tables of the process were not there yet. */
  NOT_READ_YET(6);

  /** No address of user memory is as high. */
  private static final long MARKER = -4096;

  private final int number;

  UnwindEnd(int number) {
    this.number = number;
  }

  /** Returns what ends a stack that is not complete: a number that is no address. */
  public long marker() {
    return MARKER + number;
  }

  /** Returns the end that a marker stands for. */
  public static Optional<UnwindEnd> ofMarker(long number) {
    return Arrays.stream(values()).filter(end -> end.marker() == number).findFirst();
  }
}
