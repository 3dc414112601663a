/** Memory that states track: slots of stacks, typed kernel memory, and the accesses to them. */
@NullMarked
package dev.ply.bpf.verifier.memory;

import org.jspecify.annotations.NullMarked;
