package dev.ply.cli.yaml;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** The errors of a file, while it is read. */
public final class YamlErrors {
  private final Source source;
  private final List<Diagnostic> all = new ArrayList<>();

  /** Creates the errors of a file, none yet. */
  public YamlErrors(Source source) {
    this.source = source;
  }

  /**
   * Adds an error.
   *
   * @param message a sentence without full stop
   * @param hints what to write instead
   */
  public void add(SourceSpan span, String message, String... hints) {
    all.add(new Diagnostic(Severity.ERROR, DiagnosticCode.SYNTAX, span, message, List.of(hints)));
  }

  /** Returns all errors, in the order of the file. */
  public List<Diagnostic> all() {
    return all.stream()
        .sorted(
            Comparator.comparingInt((Diagnostic one) -> one.span().line())
                .thenComparingInt(one -> one.span().column()))
        .toList();
  }

  /** Returns the file. */
  public Source source() {
    return source;
  }

  /** Returns where a node is; of one with several lines, its first. */
  SourceSpan span(Node node) {
    return node.getStartMark()
        .map(
            start -> {
              int line = start.getLine() + 1;
              int end =
                  node.getEndMark()
                      .filter(mark -> mark.getLine() + 1 == line)
                      .map(mark -> mark.getColumn())
                      .orElse(source.line(line).map(String::length).orElse(start.getColumn()));
              return new SourceSpan(
                  source.name(),
                  line,
                  start.getColumn() + 1,
                  line,
                  Math.max(start.getColumn() + 1, end));
            })
        .orElse(SourceSpan.NONE);
  }
}
