package dev.ply.builtin;

import com.google.common.collect.ImmutableSet;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.Provider.Offer;
import java.util.Optional;
import java.util.Set;

/**
 * The probes that have a built-in: those that offer one of the things it reads; all, if it reads
 * none of them.
 *
 * @param reason why the other probes do not have it, as the end of a sentence
 */
public record Availability(String reason, Set<Offer> offers) {
  public Availability {
    offers = ImmutableSet.copyOf(offers);
  }

  /** In every probe. */
  static final Availability EVERYWHERE = new Availability("");

  Availability(String reason, Offer... offers) {
    this(reason, Set.of(offers));
  }

  /** Returns why {@code point} lacks the built-in, as the end of a sentence; empty if it has it. */
  public Optional<String> reasonAgainst(AttachPoint point) {
    for (Offer offer : offers) {
      if (point.offers(offer)) {
        return Optional.empty();
      }
    }
    return offers.isEmpty() ? Optional.empty() : Optional.of(reason);
  }
}
