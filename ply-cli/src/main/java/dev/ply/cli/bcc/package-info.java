/** Command lines of BCC: argdist and trace. */
@NullMarked
package dev.ply.cli.bcc;

import org.jspecify.annotations.NullMarked;
