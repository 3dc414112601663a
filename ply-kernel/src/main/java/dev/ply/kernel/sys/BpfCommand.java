package dev.ply.kernel.sys;

/** The commands of bpf(2) in use (enum bpf_cmd). */
public enum BpfCommand {
  /** Creates a map. */
  MAP_CREATE(0),
  /** Reads an entry. */
  MAP_LOOKUP_ELEM(1),
  /** Writes an entry. */
  MAP_UPDATE_ELEM(2),
  /** Removes an entry. */
  MAP_DELETE_ELEM(3),
  /** Iterates over keys. */
  MAP_GET_NEXT_KEY(4),
  /** Verifies and loads a program. */
  PROG_LOAD(5),
  /** Gives a map, program or link a path of a BPF filesystem. */
  OBJ_PIN(6),
  /** Opens what is pinned at a path. */
  OBJ_GET(7),
  /** Runs a program once; raw tracepoints need kernel 5.10. */
  PROG_TEST_RUN(10),
  /** Opens a program by id. Requires CAP_SYS_ADMIN. */
  PROG_GET_FD_BY_ID(13),
  /** Returns information about a program, map or link. */
  OBJ_GET_INFO(15),
  /** Attaches to a raw tracepoint. Needs kernel 4.17. */
  RAW_TRACEPOINT_OPEN(17),
  /** Loads BTF. Requires Linux 4.18. */
  BTF_LOAD(18),
  /** Opens BTF by id. Requires CAP_SYS_ADMIN. */
  BTF_GET_FD_BY_ID(19),
  /** Reads and removes an entry; of hash tables, needs kernel 5.14. */
  MAP_LOOKUP_AND_DELETE_ELEM(21),
  /** Makes a map read-only for syscalls. Requires Linux 5.2. */
  MAP_FREEZE(22),
  /** Iterates over BTF ids. Requires CAP_SYS_ADMIN. */
  BTF_GET_NEXT_ID(23),
  /** Reads a batch of entries. Requires Linux 5.6. */
  MAP_LOOKUP_BATCH(24),
  /** Reads and removes a batch of entries. Requires Linux 5.6. */
  MAP_LOOKUP_AND_DELETE_BATCH(25),
  /** Attaches to a descriptor; to perf events since Linux 5.15. */
  LINK_CREATE(28),
  /** Opens a link by id. Requires Linux 5.8 and CAP_SYS_ADMIN. */
  LINK_GET_FD_BY_ID(30),
  /** Measures how long programs run, while the descriptor is open. Requires Linux 5.8. */
  ENABLE_STATS(32),
  /** Opens an iterator's output. Requires Linux 5.8. */
  ITER_CREATE(33);

  private final int number;

  BpfCommand(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
