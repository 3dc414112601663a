/**
 * The language server: what editors ask about scripts, in the terms of LSP4J. Its classes, and
 * LSP4J with them, are loaded by {@code ply lsp} alone.
 */
@NullMarked
package dev.ply.cli.lsp;

import org.jspecify.annotations.NullMarked;
