@NullMarked
package dev.ply.cli.serve;

import org.jspecify.annotations.NullMarked;
