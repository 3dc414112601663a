package dev.ply.bpf.verifier.domain;

import java.util.HashMap;
import java.util.Map;

/**
 * A growing one-to-one relation between the identities of an old state and those of a current one:
 * identities are numbers given in passing, so only their pattern counts.
 */
public final class IdentityMatch {
  private final Map<Integer, Integer> currentByOld = new HashMap<>(8);
  private final Map<Integer, Integer> oldByCurrent = new HashMap<>(8);

  /** Relates two identities; tells whether that agrees with what was related before. */
  public boolean match(int old, int current) {
    if (old == 0 || current == 0) {
      return old == current;
    }
    Integer seen = currentByOld.putIfAbsent(old, current);
    Integer back = oldByCurrent.putIfAbsent(current, old);
    return (seen == null || seen == current) && (back == null || back == old);
  }

  /** Relates two identities of numbers, where the old one may be none. */
  boolean matchNumber(int old, int current) {
    return old == 0 || match(old, current);
  }
}
