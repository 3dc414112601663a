/**
 * What scripts mean, computed in the plainest way there is, to hold the compiler against. Begin
 * reading at {@link dev.ply.bpf.reference.ScriptEvaluator}. Travels to other modules in this
 * module's test jar.
 */
@NullMarked
package dev.ply.bpf.reference;

import org.jspecify.annotations.NullMarked;
