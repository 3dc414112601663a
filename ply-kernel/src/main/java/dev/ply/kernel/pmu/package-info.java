/**
 * Facts about perf events: the units that make kprobes and uprobes, as sysfs describes them, and
 * the limits of the sampler. Nothing is opened here.
 */
@NullMarked
package dev.ply.kernel.pmu;

import org.jspecify.annotations.NullMarked;
