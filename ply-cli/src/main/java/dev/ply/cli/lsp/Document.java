package dev.ply.cli.lsp;

import dev.ply.diagnostic.Source;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;

/**
 * A version of a script in an editor.
 *
 * @param uri that the editor names it by
 * @param version that counts up with each change
 * @param text with its newlines
 */
record Document(String uri, int version, String text, TextLines lines) {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  Document(String uri, int version, String text) {
    this(uri, version, text, new TextLines(text));
  }

  /** Returns the next version, after changes in their order. */
  Document changed(int next, List<TextDocumentContentChangeEvent> changes) {
    Document document = this;
    for (TextDocumentContentChangeEvent change : changes) {
      document = new Document(uri, next, document.after(change));
    }
    return document;
  }

  private String after(TextDocumentContentChangeEvent change) {
    // Without a range, all of the text is new.
    Range range = change.getRange();
    if (range == null) {
      return change.getText();
    }
    int start = lines.index(range.getStart());
    int end = Math.max(start, lines.index(range.getEnd()));
    return text.substring(0, start) + change.getText() + text.substring(end);
  }

  /** Returns the script. Its name is that of its file. */
  Source source() {
    // In place of the mark, so that positions stay.
    String script = text.startsWith(BYTE_ORDER_MARK) ? " " + text.substring(1) : text;
    return new Source(path(), script);
  }

  /** Returns the path of the file; of a document without one, what the editor calls it. */
  String path() {
    try {
      URI parsed = URI.create(uri);
      return "file".equals(parsed.getScheme()) ? Path.of(parsed).toString() : uri;
    } catch (RuntimeException e) {
      // Whatever an editor calls it: neither a URI nor a path.
      return uri;
    }
  }

  /** Returns the name of the file, without directories. */
  String fileName() {
    String path = path();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Document that
        && uri.equals(that.uri)
        && version == that.version
        && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return Objects.hash(uri, version, text);
  }
}
