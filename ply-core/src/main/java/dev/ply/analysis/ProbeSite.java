package dev.ply.analysis;

import dev.ply.ir.AttachPoint;
import dev.ply.ir.SourceSpan;
import java.util.Optional;

/**
 * A single place where a program is attached.
 *
 * @param point no pattern
 * @param span the definition that means this place
 * @param pattern if present, the place is one of those that this pattern means, and can be left out
 *     where the kernel refuses it
 */
public record ProbeSite(AttachPoint point, SourceSpan span, Optional<AttachPoint> pattern) {
  /** Of two definitions that mean the same place, returns the one that insists on it. */
  ProbeSite or(ProbeSite other) {
    return pattern.isPresent() && other.pattern.isEmpty() ? other : this;
  }
}
