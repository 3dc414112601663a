@NullMarked
package dev.ply.rust;

import org.jspecify.annotations.NullMarked;
