/**
 * Programs that trace as part of what they do: results as records, streams, percentiles, text for a
 * monitoring system. The page {@code docs/EMBEDDING.md} explains them.
 */
@NullMarked
package dev.ply.examples.embed;

import org.jspecify.annotations.NullMarked;
