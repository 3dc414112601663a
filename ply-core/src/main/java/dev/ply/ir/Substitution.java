package dev.ply.ir;

/**
 * A place of a script where a value from outside was put for a name. Whoever complains about the
 * place should show both.
 *
 * @param name as the script writes it: {@code $target}
 * @param value as people know it: {@code 42}, {@code "sh"}
 */
public record Substitution(SourceSpan span, String name, String value) {}
