/**
 * What scripts mean, computed in the plainest way there is, to hold the compiler against. Travels
 * to other modules in this module's test jar.
 */
@NullMarked
package dev.ply.bpf.reference;

import org.jspecify.annotations.NullMarked;
