/** Programs and libraries of the running system: their files, functions and USDT probes. */
@NullMarked
package dev.ply.kernel.user;

import org.jspecify.annotations.NullMarked;
