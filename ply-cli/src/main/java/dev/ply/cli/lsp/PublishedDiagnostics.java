package dev.ply.cli.lsp;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.type.Escapes;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.lsp4j.DiagnosticRelatedInformation;
import org.eclipse.lsp4j.DiagnosticSeverity;
import org.eclipse.lsp4j.Location;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.Range;

/** The diagnostics of a script in the protocol's form. */
final class PublishedDiagnostics {
  /** More would not be read. */
  private static final int MOST = 500;

  private static final String PROGRAM = "ply";

  private final Document document;
  private final ScriptCheck check;

  private PublishedDiagnostics(Document document, ScriptCheck check) {
    this.document = document;
    this.check = check;
  }

  /** Returns the diagnostics of a document. */
  static PublishDiagnosticsParams of(Document document, ScriptCheck check) {
    PublishedDiagnostics published = new PublishedDiagnostics(document, check);
    return new PublishDiagnosticsParams(document.uri(), published.all(), document.version());
  }

  private List<org.eclipse.lsp4j.Diagnostic> all() {
    List<Diagnostic> found = check.diagnostics();
    Stream<org.eclipse.lsp4j.Diagnostic> shown = found.stream().limit(MOST).map(this::published);
    if (found.size() <= MOST) {
      return shown.toList();
    }
    org.eclipse.lsp4j.Diagnostic more =
        new org.eclipse.lsp4j.Diagnostic(
            document.lines().range(SourceSpan.NONE),
            "… and " + (found.size() - MOST) + " more",
            DiagnosticSeverity.Information,
            PROGRAM);
    return Stream.concat(shown, Stream.of(more)).toList();
  }

  private org.eclipse.lsp4j.Diagnostic published(Diagnostic found) {
    boolean isHere = isHere(found.span());
    Range range =
        isHere ? document.lines().range(found.span()) : importOf(found.span()).orElse(top());
    String message =
        Stream.concat(Stream.of(found.message()), found.hints().stream())
            .map(Escapes::escape)
            .collect(Collectors.joining("\n"));
    org.eclipse.lsp4j.Diagnostic published =
        new org.eclipse.lsp4j.Diagnostic(
            range, isHere ? message : found.span() + ": " + message, severity(found), PROGRAM);
    published.setCode(found.code().toString());
    if (!isHere) {
      related(found).ifPresent(one -> published.setRelatedInformation(List.of(one)));
    }
    return published;
  }

  private boolean isHere(SourceSpan span) {
    return !span.isKnown() || span.source().equals(check.source().name());
  }

  private Range top() {
    return document.lines().range(SourceSpan.NONE);
  }

  /** Errors that a command line can mend are none of the script. */
  private static DiagnosticSeverity severity(Diagnostic found) {
    if (found.severity() != Severity.ERROR) {
      return found.severity() == Severity.WARNING
          ? DiagnosticSeverity.Warning
          : DiagnosticSeverity.Information;
    }
    return switch (found.code()) {
      case UNREADABLE, NOT_PERMITTED, UNSET_VARIABLE -> DiagnosticSeverity.Information;
      case UNSAFE -> DiagnosticSeverity.Warning;
      default -> DiagnosticSeverity.Error;
    };
  }

  /** Returns where the document imports the file of a span. */
  private Optional<Range> importOf(SourceSpan span) {
    for (Source.Import one : check.source().imports()) {
      if (one.files().stream().anyMatch(file -> file.named(span.source()).isPresent())) {
        int at = document.text().indexOf(one.path());
        if (at >= 0 && !one.path().isEmpty()) {
          return Optional.of(document.lines().range(at, at + one.path().length()));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<DiagnosticRelatedInformation> related(Diagnostic found) {
    Optional<Source> file = check.source().named(found.span().source());
    try {
      String uri = Path.of(found.span().source()).toAbsolutePath().toUri().toString();
      return file.map(
          source ->
              new DiagnosticRelatedInformation(
                  new Location(uri, new TextLines(source.text()).range(found.span())),
                  Escapes.escape(found.message())));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }
}
