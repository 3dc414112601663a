package dev.ply.cli;

/** The command lines of the tracer. */
enum FrontEnd {
  /** {@code ply}, with ply's options. */
  PLY(
      "ply",
      "--map-entries N makes room",
      "--buffer BYTES makes room",
      "-e checks a program without that, and -e -S shows its bytecode"),
  /** {@code ply bt} and {@code bpftrace}, with bpftrace's options. */
  BPFTRACE(
      "bpftrace",
      "BPFTRACE_MAX_MAP_KEYS=N makes room",
      "BPFTRACE_PERF_RB_PAGES=N makes room",
      "--dry-run checks a program without that, and --dry-run -d all shows its bytecode"),
  /** {@code ply kprobe-events} and {@code ply uprobe-events}. */
  EVENTS(
      "ply",
      "fewer events at a time make room",
      "-k goes on without them",
      "-e checks definitions without that, -S shows them as a script"),
  /** {@code ply argdist} and {@code argdist}, with argdist's options. */
  ARGDIST(
      "argdist",
      "--map-entries N makes room",
      "--buffer BYTES makes room",
      "--script shows the program without that");

  private final String threadName;
  private final String moreKeys;
  private final String moreBuffer;
  private final String withoutPrivileges;

  FrontEnd(String threadName, String moreKeys, String moreBuffer, String withoutPrivileges) {
    this.threadName = threadName;
    this.moreKeys = moreKeys;
    this.moreBuffer = moreBuffer;
    this.withoutPrivileges = withoutPrivileges;
  }

  /** Returns the {@code comm} of the thread that runs BEGIN and END. */
  String threadName() {
    return threadName;
  }

  /** Returns how to increase the number of map entries, for messages. */
  String moreKeys() {
    return moreKeys;
  }

  /** Returns how to lose no stack traces, for messages. */
  String moreStacks() {
    return (this == EVENTS ? "" : moreKeys + " if N is more than 262144; ")
        + "traces of fewer frames, ustack(8), are fewer; those of cleared keys take room until the"
        + " end";
  }

  /** Returns how to increase the ring buffer, for messages. */
  String moreBuffer() {
    return moreBuffer;
  }

  /** Returns what works without privileges, for messages. */
  String withoutPrivileges() {
    return withoutPrivileges;
  }
}
