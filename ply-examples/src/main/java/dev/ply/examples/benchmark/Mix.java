package dev.ply.examples.benchmark;

/**
 * What share of a workload's system calls the traced one is: {@code dd} reads and writes blocks of
 * different sizes, and only read(2) is traced.
 */
enum Mix {
  /** Every call. */
  ALL("1/1", 1, Mix.LARGE),
  /** One call in four. */
  QUARTER("1/4", 3, 1),
  /** One call in twenty, as on a machine that does ordinary work. */
  TWENTIETH("1/20", 19, 1),
  /** None: what is paid for being near a probe. */
  NONE("0/1", Mix.LARGE, 1);

  /** A block so large that its calls do not count. */
  private static final int LARGE = 1 << 16;

  private final String share;
  private final int readSize;
  private final int writeSize;

  Mix(String share, int readSize, int writeSize) {
    this.share = share;
    this.readSize = readSize;
    this.writeSize = writeSize;
  }

  /** Returns the share of traced calls, such as {@code 1/20}. */
  String share() {
    return share;
  }

  /** Returns how many calls are made for each byte that is copied. */
  double callsPerByte() {
    return 1.0 / readSize + 1.0 / writeSize;
  }

  /** Returns the operands of {@code dd} for about as many calls. */
  String operands(int calls) {
    long blocks = Math.max(1, Math.round(calls / callsPerByte() / readSize));
    return "ibs=" + readSize + " obs=" + writeSize + " count=" + blocks;
  }
}
