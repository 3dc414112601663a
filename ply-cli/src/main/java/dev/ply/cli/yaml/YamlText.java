package dev.ply.cli.yaml;

import dev.ply.diagnostic.SourceSpan;

/**
 * A string of a file.
 *
 * @param span where it is
 */
public record YamlText(String text, SourceSpan span) {}
