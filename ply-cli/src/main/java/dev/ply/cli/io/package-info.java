/** The command's streams: results, messages, failures in words, signals, exit statuses. */
@NullMarked
package dev.ply.cli.io;

import org.jspecify.annotations.NullMarked;
