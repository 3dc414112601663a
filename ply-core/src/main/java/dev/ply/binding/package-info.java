/**
 * Binds the values of a trace to the components of Java records: which component takes which type
 * of value, and why not. Tracers decode events and rows by it.
 */
@NullMarked
package dev.ply.binding;

import org.jspecify.annotations.NullMarked;
