package dev.ply.examples.embed;

import dev.ply.Session;
import dev.ply.Tracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.lang.PlyScript;
import dev.ply.layout.JsonTable;
import java.util.List;
import java.util.stream.Collectors;

/** Runs scripts that users type: errors with their positions for an editor, results as JSON. */
public final class ScriptService implements AutoCloseable {
  /**
   * An error for an editor to underline.
   *
   * @param line counted from 1
   * @param column counted from 1
   */
  public record Problem(int line, int column, int endColumn, String message, List<String> hints) {
    static Problem of(Diagnostic diagnostic) {
      return new Problem(
          diagnostic.span().line(),
          diagnostic.span().column(),
          diagnostic.span().endColumn(),
          diagnostic.message(),
          diagnostic.hints());
    }
  }

  private final Tracer tracer;

  /** Creates a service that traces with {@code tracer}. */
  public ScriptService(Tracer tracer) {
    this.tracer = tracer;
  }

  /** Returns all errors of a script, without running it; none if it can run. */
  public List<Problem> check(String script) {
    try {
      tracer.prepare(PlyScript.parse(script)).close();
      return List.of();
    } catch (CompilationException e) {
      return e.diagnostics().stream().map(Problem::of).toList();
    }
  }

  /** Starts a script. */
  public Session start(String script) {
    return tracer.start(PlyScript.parse(script));
  }

  /** Returns the maps of a trace as a JSON object. */
  public static String json(Session session) {
    return session.tables().stream()
        .map(map -> "\"" + map.name() + "\": " + JsonTable.of(map.table()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  @Override
  public void close() {
    tracer.close();
  }
}
