package dev.ply.analysis.site;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.MissingProbes;
import java.util.Optional;

/**
 * A single location where a program is attached.
 *
 * @param point no pattern
 * @param span the definition that selects this site
 * @param pattern if present, the pattern that selected this site, which is skipped if the kernel
 *     refuses it
 * @param missing what happens if the kernel refuses all sites of the pattern
 */
public record ProbeSite(
    AttachPoint point, SourceSpan span, Optional<AttachPoint> pattern, MissingProbes missing) {
  /**
   * Of two definitions of one site, returns the one without a pattern, whose refusal is an error.
   */
  public ProbeSite or(ProbeSite other) {
    return pattern.isPresent() && other.pattern.isEmpty() ? other : this;
  }
}
