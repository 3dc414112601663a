/** Maps as metrics of monitoring systems, while a command runs or always. */
@NullMarked
package dev.ply.cli.metrics;

import org.jspecify.annotations.NullMarked;
