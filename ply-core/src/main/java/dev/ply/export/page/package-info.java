/** The page for browsers: its data blocks, its text. */
@NullMarked
package dev.ply.export.page;

import org.jspecify.annotations.NullMarked;
