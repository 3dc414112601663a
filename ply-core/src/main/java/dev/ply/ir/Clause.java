package dev.ply.ir;

import java.util.Optional;

/**
 * A clause: what to do at an attach point.
 *
 * @param predicate if present, the body runs only where it is not zero
 * @param pointSpan the position of the attach point's definition
 */
public record Clause(
    AttachPoint point,
    SourceSpan pointSpan,
    Optional<Expr> predicate,
    Statement.Block body,
    SourceSpan span) {}
