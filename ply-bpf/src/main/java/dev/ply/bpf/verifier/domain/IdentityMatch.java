package dev.ply.bpf.verifier.domain;

import java.util.HashMap;
import java.util.Map;

/**
 * A one-to-one relation between the IDs of two states (check_ids in kernel/bpf/verifier.c).
 *
 * <p>IDs are arbitrary numbers, so states are compared by the pattern of equal IDs only.
 */
public final class IdentityMatch {
  private final Map<Integer, Integer> currentByOld = new HashMap<>(8);
  private final Map<Integer, Integer> oldByCurrent = new HashMap<>(8);

  /** Relates two IDs; returns false if either is already related to another. */
  public boolean match(int old, int current) {
    if (old == 0 || current == 0) {
      return old == current;
    }
    Integer seen = currentByOld.putIfAbsent(old, current);
    Integer back = oldByCurrent.putIfAbsent(current, old);
    return (seen == null || seen == current) && (back == null || back == old);
  }

  /** Relates two IDs of scalars, where the old one may have none. */
  boolean matchNumber(int old, int current) {
    return old == 0 || match(old, current);
  }
}
