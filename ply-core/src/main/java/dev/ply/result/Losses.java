package dev.ply.result;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Everything that a trace has lost, a snapshot. Immutable.
 *
 * @param counts the number of each, without those that are 0
 * @param missedByPoint the missed hits of each attached probe site, by its {@link
 *     AttachedSite#point}; hits that a program missed count for each of its sites
 */
public record Losses(Map<Loss, Long> counts, Map<String, Long> missedByPoint) {
  /** Copies the counters. */
  public Losses {
    counts = Map.copyOf(counts);
    missedByPoint = Map.copyOf(missedByPoint);
  }

  /**
   * {@return how many of a kind were lost}
   *
   * @param loss of any kind
   */
  public long of(Loss loss) {
    return counts.getOrDefault(loss, 0L);
  }

  /** {@return whether nothing was lost} */
  public boolean isEmpty() {
    return counts.values().stream().allMatch(count -> count == 0);
  }

  /** {@return a sentence for each kind of which something was lost} */
  public List<String> sentences() {
    return Stream.of(Loss.values())
        .filter(loss -> of(loss) > 0)
        .map(loss -> loss.sentence(of(loss)))
        .toList();
  }
}
