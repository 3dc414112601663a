/** Configuration files in YAML, with all errors at once and where they are. */
@NullMarked
package dev.ply.cli.yaml;

import org.jspecify.annotations.NullMarked;
