/**
 * Readers of what ply writes that are not its own: a browser, a strict parser of JSON, and programs
 * of others. The package travels to the other modules in this module's test jar.
 */
@NullMarked
package dev.ply.reader;

import org.jspecify.annotations.NullMarked;
