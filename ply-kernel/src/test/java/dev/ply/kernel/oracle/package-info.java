/**
 * The kernel as an oracle: programs are loaded for its verdict and run by BPF_PROG_TEST_RUN for
 * their results, and nothing is attached. Travels to other modules in this module's test jar.
 */
@NullMarked
package dev.ply.kernel.oracle;

import org.jspecify.annotations.NullMarked;
