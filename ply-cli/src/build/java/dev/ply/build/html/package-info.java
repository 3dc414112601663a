/**
 * The manual as a static site: pages of Markdown and of man, an index for searching. The build
 * makes it, and none of it is in the jars.
 */
@NullMarked
package dev.ply.build.html;

import org.jspecify.annotations.NullMarked;
