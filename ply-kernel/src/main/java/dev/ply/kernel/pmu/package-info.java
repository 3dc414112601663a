/**
 * Facts about perf events: the PMUs of kprobes and uprobes, and the limit of the sampling rate.
 * Opens no events.
 */
@NullMarked
package dev.ply.kernel.pmu;

import org.jspecify.annotations.NullMarked;
