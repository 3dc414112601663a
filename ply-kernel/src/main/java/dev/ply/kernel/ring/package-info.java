/**
 * The BPF ring buffer, read in place: programs write records to memory mapped into this process,
 * and a handler reads them there.
 *
 * <p>It is one queue for all CPUs. Records are ordered by reservation, which takes a lock, and are
 * read in this order, regardless of which program finishes first: an unfinished record delays all
 * later ones. If one reservation ends before another begins, its record comes first; so events of
 * one CPU, of one thread, and of cause and effect are in order without sorting. Timestamps are not
 * guaranteed to increase from record to record: two concurrent programs can read the clock and
 * reserve in any order.
 */
@NullMarked
package dev.ply.kernel.ring;

import org.jspecify.annotations.NullMarked;
