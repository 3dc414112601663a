/** Results and tables as JSON. */
@NullMarked
package dev.ply.json;

import org.jspecify.annotations.NullMarked;
