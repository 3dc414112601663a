package dev.ply.ir;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.probe.AttachPoint;
import java.util.Optional;

/**
 * A clause: what to do at an attach point.
 *
 * @param point the probe site, or a pattern of several
 * @param pointSpan the position of the attach point's definition
 * @param predicate if present, the body runs only where it is not zero
 * @param body the statements to run on a hit
 */
public record Clause(
    AttachPoint point,
    SourceSpan pointSpan,
    Optional<Expr> predicate,
    Statement.Block body,
    SourceSpan span) {}
