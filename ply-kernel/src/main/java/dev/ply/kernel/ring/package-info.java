/**
 * The BPF ring buffer, read in place: programs write records into memory that this process maps,
 * and a handler sees each where it lies.
 *
 * <p>It is one queue for all processors. A program that reserves a record takes its place in the
 * queue under a lock, so the places are in one order for all, and records are handed over in that
 * order, whichever program finishes first: an unfinished record holds back those behind it. If one
 * reservation was over before another began, its record comes first; so the events of a processor,
 * of a thread, and those of which one caused the other are in their order. Nothing has to be
 * sorted. What is not guaranteed is that times which programs read for themselves grow from record
 * to record: two programs that run at the same moment read the clock and reserve in any order.
 */
@NullMarked
package dev.ply.kernel.ring;

import org.jspecify.annotations.NullMarked;
