package dev.ply.bpf.plan;

import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A machine that offers some ways to attach, has cookies with some, and may have programs load from
 * the running thread's structure.
 */
record Offering(Set<Mechanism> mechanisms, Set<Mechanism> cookies, boolean loadsThread)
    implements AttachFeatures {
  private static final Map<String, Integer> CALLS =
      Map.of(
          "read", 0, "write", 1, "close", 3, "lseek", 8, "pread64", 17, "dup", 32, "getpid", 39,
          "execve", 59, "openat", 257, "exit", 60);

  /** Offers everything. */
  static Offering all() {
    return new Offering(EnumSet.allOf(Mechanism.class), EnumSet.allOf(Mechanism.class), true);
  }

  /** Returns the same machine, but that programs have to ask for copies. */
  Offering withoutLoads() {
    return new Offering(mechanisms, cookies, false);
  }

  /** Offers what every kernel does, and these. */
  static Offering only(Mechanism... mechanisms) {
    Set<Mechanism> offered =
        EnumSet.of(
            Mechanism.KPROBE, Mechanism.KPROBE_EVENTS, Mechanism.TRACEPOINT, Mechanism.DIRECT);
    offered.addAll(Set.of(mechanisms));
    return new Offering(offered, EnumSet.noneOf(Mechanism.class), false);
  }

  @Override
  public Optional<String> reasonAgainst(Mechanism mechanism) {
    return mechanisms.contains(mechanism) ? Optional.empty() : Optional.of("it is not offered");
  }

  @Override
  public boolean hasCookies(Mechanism mechanism) {
    return cookies.contains(mechanism);
  }

  @Override
  public Optional<ForeignCalls> foreignCalls() {
    return Optional.of(new ForeignCalls(16, 2));
  }

  @Override
  public OptionalInt systemCall(String name) {
    Integer number = CALLS.get(name);
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }
}
