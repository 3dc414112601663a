package dev.ply.cli.lsp;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.lang.argument.ScriptArguments;

/**
 * A language that an editor edits.
 *
 * @param ending of its files, with the dot
 * @param arguments what its scripts receive
 * @param sizes how they are compiled
 */
public record Dialect(String ending, ScriptArguments arguments, CompilerOptions sizes) {}
