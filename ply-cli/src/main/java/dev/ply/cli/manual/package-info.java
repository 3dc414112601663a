/**
 * What command lines are made of, declared once: options, values, operands, sections. The parser
 * reads the declarations, and help, manual pages and completion are written from them. A page that
 * a script's header declares is a {@link dev.ply.cli.manual.CommandManual}, too.
 */
@NullMarked
package dev.ply.cli.manual;

import org.jspecify.annotations.NullMarked;
