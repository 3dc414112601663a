package dev.ply.kernel.sys;

/** The commands of bpf(2) in use, with the kernel's numbers (enum bpf_cmd). */
public enum BpfCommand {
  /** Creates a map. */
  MAP_CREATE(0),
  /** Reads an entry. */
  MAP_LOOKUP_ELEM(1),
  /** Writes an entry. */
  MAP_UPDATE_ELEM(2),
  /** Removes an entry. */
  MAP_DELETE_ELEM(3),
  /** Steps through the keys. */
  MAP_GET_NEXT_KEY(4),
  /** Verifies and loads a program. */
  PROG_LOAD(5),
  /** Runs a program once; raw tracepoints need kernel 5.10. */
  PROG_TEST_RUN(10),
  /** Opens a program by its number. Needs CAP_SYS_ADMIN. */
  PROG_GET_FD_BY_ID(13),
  /** Tells about a program, map or link. */
  OBJ_GET_INFO(15),
  /** Attaches to a raw tracepoint. Needs kernel 4.17. */
  RAW_TRACEPOINT_OPEN(17),
  /** Opens type information by its number. Needs CAP_SYS_ADMIN. */
  BTF_GET_FD_BY_ID(19),
  /** Reads and removes an entry; of hash tables, needs kernel 5.14. */
  MAP_LOOKUP_AND_DELETE_ELEM(21),
  /** Keeps a map from being written by system calls for good. Needs kernel 5.2. */
  MAP_FREEZE(22),
  /** Steps through the numbers of type information. Needs CAP_SYS_ADMIN. */
  BTF_GET_NEXT_ID(23),
  /** Reads many entries. Needs kernel 5.6. */
  MAP_LOOKUP_BATCH(24),
  /** Reads and removes many entries. Needs kernel 5.6. */
  MAP_LOOKUP_AND_DELETE_BATCH(25),
  /** Attaches to something that is open. Of performance events, needs kernel 5.15. */
  LINK_CREATE(28);

  private final int number;

  BpfCommand(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
