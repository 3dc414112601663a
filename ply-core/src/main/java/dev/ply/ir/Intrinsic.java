package dev.ply.ir;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.Optional;

/**
 * The built-in values and functions of the language; a value is a function of no arguments, written
 * with or without {@code ()}.
 */
public enum Intrinsic {
  /** The thread's name. */
  COMM(0, 0, "comm", "execname"),
  /** Process id. */
  PID(0, 0, "pid"),
  /** Thread id. */
  KPID(0, 0, "kpid", "tid"),
  /** User id. */
  UID(0, 0, "uid"),
  /** Group id. */
  GID(0, 0, "gid"),
  /** The number of the running CPU. */
  CPU(0, 0, "cpu"),
  /** Nanoseconds since boot, printed as a duration. */
  TIME(0, 0, "time"),
  /** The time of day: nanoseconds since boot, printed as hours, minutes and seconds. */
  WALLTIME(0, 0, "walltime"),
  /** Nanoseconds since boot, a plain number. */
  NSECS(0, 0, "nsecs"),
  /** What the probed function returns. */
  RETVAL(0, 0, "retval"),
  /** The probed address. */
  CALLER(0, 0, "caller"),
  /** The saved registers. */
  REGS(0, 0, "regs"),
  /**
   * The kernel's functions that are being called, the innermost first: {@code stack}, {@code
   * stack(depth)}, {@code stack(mode)}, {@code stack(mode, depth)}.
   */
  STACK(0, 2, "stack", "kstack"),
  /** The process's own functions that are being called, written as {@link #STACK} is. */
  USTACK(0, 2, "ustack"),
  /** The probe's context: registers or a record, as the kernel hands it over. */
  CTX(0, 0, "ctx"),
  /** The definition of the place where the probe fired. */
  PROBE(0, 0, "probe"),
  /** The tracepoint's record. */
  DATA(0, 0, "data", "args"),
  /** The string at an address: {@code str(p)}, {@code str(p, bytes)}. */
  STR(1, 2, "str"),
  /** The bytes at an address: {@code mem(p)}, {@code mem(p, bytes)}. */
  MEM(1, 2, "mem"),
  /**
   * What a {@code __data_loc} field stands for: {@code dyn(data->f)}, {@code dyn(data->f, bytes)}.
   */
  DYN(1, 2, "dyn"),
  /** Marks an address as one of user space. */
  UPTR(1, 1, "uptr"),
  /** Marks an address as one of the kernel. */
  KPTR(1, 1, "kptr"),
  /** The address of what the kernel has under a name: {@code kaddr("jiffies")}. */
  KADDR(1, 1, "kaddr"),
  /** Has an address of the kernel print as function and offset. */
  KSYM(1, 1, "ksym"),
  /** Compares two strings: -1, 0 or 1. */
  STRCMP(2, 2, "strcmp"),
  /** Prints values in their default formats, separated by commas. */
  PRINT(1, Integer.MAX_VALUE, "print"),
  /** Prints values as a format says. */
  PRINTF(1, Integer.MAX_VALUE, "printf"),
  /**
   * Empties a map. User space does that, in the order of the events; what is counted between a
   * {@code print} of the map before and this is lost.
   */
  CLEAR(1, 1, "clear"),
  /** Ends the trace with an exit status. */
  EXIT(0, 1, "exit");

  private static final ImmutableMap<String, Intrinsic> BY_NAME = byName();

  private final int minArguments;
  private final int maxArguments;
  private final ImmutableList<String> names;

  Intrinsic(int minArguments, int maxArguments, String... names) {
    this.minArguments = minArguments;
    this.maxArguments = maxArguments;
    this.names = ImmutableList.copyOf(names);
  }

  /** Returns the built-in of that name or alias. */
  public static Optional<Intrinsic> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** Returns all names, aliases too. */
  public static Iterable<String> allNames() {
    return BY_NAME.keySet();
  }

  /** Returns the name that printers use. */
  public String canonicalName() {
    return names.get(0);
  }

  /** Returns how many arguments there must be at least. */
  public int minArguments() {
    return minArguments;
  }

  /** Returns how many arguments there may be at most. */
  public int maxArguments() {
    return maxArguments;
  }

  private static ImmutableMap<String, Intrinsic> byName() {
    ImmutableMap.Builder<String, Intrinsic> map = ImmutableMap.builder();
    for (Intrinsic intrinsic : values()) {
      for (String name : intrinsic.names) {
        map.put(name, intrinsic);
      }
    }
    return map.buildOrThrow();
  }
}
