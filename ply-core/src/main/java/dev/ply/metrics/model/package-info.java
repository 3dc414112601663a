/** Maps of traces as metrics: families, series and distributions, independent of any protocol. */
@NullMarked
package dev.ply.metrics.model;

import org.jspecify.annotations.NullMarked;
