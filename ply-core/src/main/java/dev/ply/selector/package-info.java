/**
 * Where a probe is, as scripts write it: functions, symbols of programs, tracepoints, addresses and
 * the patterns that select several of them. Selectors are parsed here and know nothing about a
 * machine.
 */
@NullMarked
package dev.ply.selector;

import org.jspecify.annotations.NullMarked;
