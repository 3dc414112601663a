/** Tests of the intermediate representation and its printed form. */
@NullMarked
package dev.ply.ir;

import org.jspecify.annotations.NullMarked;
