package dev.ply.cli;

/** The command lines that there are for the one tracer. */
enum FrontEnd {
  /** {@code ply}, with the options of ply. */
  PLY(
      "ply",
      "--map-entries N makes room",
      "--buffer BYTES makes room",
      "-e checks a program without that, and -e -S shows its bytecode"),
  /** {@code ply bt} and {@code bpftrace}, with the options of bpftrace. */
  BPFTRACE(
      "bpftrace",
      "BPFTRACE_MAX_MAP_KEYS=N makes room",
      "BPFTRACE_PERF_RB_PAGES=N makes room",
      "--dry-run checks a program without that, and --dry-run -d all shows its bytecode");

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

  /** Returns how a user makes room in maps. */
  String moreKeys() {
    return moreKeys;
  }

  /** Returns how a user makes room for events. */
  String moreBuffer() {
    return moreBuffer;
  }

  /** Returns what a user can do without the privileges to trace. */
  String withoutPrivileges() {
    return withoutPrivileges;
  }
}
