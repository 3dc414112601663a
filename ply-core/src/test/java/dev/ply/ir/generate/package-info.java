/**
 * Generators of the intermediate representation for property-based tests, of this module and of
 * others. What they make is well formed: it has a text that says the same. A meaning it need not
 * have.
 */
@NullMarked
package dev.ply.ir.generate;

import org.jspecify.annotations.NullMarked;
