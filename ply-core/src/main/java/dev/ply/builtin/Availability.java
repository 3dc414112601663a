package dev.ply.builtin;

import com.google.common.collect.ImmutableSet;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.Provider.Offer;
import java.util.Optional;
import java.util.Set;

/**
 * The probes in which a built-in is available: those that offer one of the things it reads; all, if
 * it reads none.
 *
 * @param reason why it is unavailable elsewhere, as the end of a sentence
 */
public record Availability(String reason, Set<Offer> offers) {
  public Availability {
    offers = ImmutableSet.copyOf(offers);
  }

  /** In every probe. */
  static final Availability EVERYWHERE = new Availability("");

  public Availability(String reason, Offer... offers) {
    this(reason, Set.of(offers));
  }

  /**
   * Returns why the built-in is unavailable at {@code point}, as the end of a sentence; empty if it
   * is available.
   */
  public Optional<String> reasonAgainst(AttachPoint point) {
    for (Offer offer : offers) {
      if (point.offers(offer)) {
        return Optional.empty();
      }
    }
    return offers.isEmpty() ? Optional.empty() : Optional.of(reason);
  }
}
