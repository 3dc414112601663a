package dev.ply.ir;

import dev.ply.diagnostic.SourceSpan;

/**
 * A span of the script where a name was replaced by a value of the environment. Error messages
 * should show both.
 *
 * @param name as the script writes it: {@code $target}
 * @param value for messages: {@code 42}, {@code "sh"}
 */
public record Substitution(SourceSpan span, String name, String value) {}
