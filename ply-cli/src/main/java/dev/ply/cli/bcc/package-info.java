/** The command lines of BCC's argdist and trace. */
@NullMarked
package dev.ply.cli.bcc;

import org.jspecify.annotations.NullMarked;
