package dev.ply.cli.lsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;
import org.junit.jupiter.api.Test;

/** Positions and changes of documents, whatever characters they have. */
class DocumentTest {
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("a", "\n", "\r", "\r\n", "\uD83D\uDE00", "\uD800", "\u00E4", " ")
        .list()
        .ofMaxSize(20)
        .map(parts -> String.join("", parts));
  }

  @Property
  void eachIndexHasAPosition(@ForAll("texts") String text) {
    TextLines lines = new TextLines(text);
    for (int i = 0; i <= text.length(); i++) {
      boolean isWithinEnd =
          i > 0 && i < text.length() && text.charAt(i - 1) == '\r' && text.charAt(i) == '\n';
      if (!isWithinEnd) {
        assertThat(lines.index(lines.position(i))).isEqualTo(i);
      }
      boolean isWithinCharacter =
          i > 0
              && i < text.length()
              && Character.isSurrogatePair(text.charAt(i - 1), text.charAt(i));
      if (!isWithinCharacter) {
        var span = lines.span("x", i);
        assertThat(lines.index(span.line(), span.column())).isEqualTo(i);
      }
    }
  }

  @Property
  void aChangeReplacesWhatIsBetweenItsPositions(
      @ForAll("texts") String text,
      @ForAll("texts") String inserted,
      @ForAll @IntRange(max = 50) int one,
      @ForAll @IntRange(max = 50) int other) {
    TextLines lines = new TextLines(text);
    int start = lines.index(lines.position(Math.min(text.length(), Math.min(one, other))));
    int end = lines.index(lines.position(Math.min(text.length(), Math.max(one, other))));
    Document changed =
        new Document("x", 1, text)
            .changed(
                2, List.of(new TextDocumentContentChangeEvent(lines.range(start, end), inserted)));
    assertThat(changed.text()).isEqualTo(text.substring(0, start) + inserted + text.substring(end));
    assertThat(changed.version()).isEqualTo(2);
  }

  @Test
  void positionsBeyondTheTextAreItsEnd() {
    TextLines lines = new TextLines("ab\r\nc");
    assertThat(lines.index(new Position(0, 99))).isEqualTo(2);
    assertThat(lines.index(new Position(1, 99))).isEqualTo(5);
    assertThat(lines.index(new Position(7, 0))).isEqualTo(5);
    assertThat(lines.index(new Position(0, -1))).isZero();
  }

  @Test
  void documentsAreNamedByTheirFiles() {
    assertThat(new Document("file:///a%20b/c.ply", 1, "").path()).isEqualTo("/a b/c.ply");
    assertThat(new Document("file:///a%20b/c.ply", 1, "").fileName()).isEqualTo("c.ply");
    for (String odd : List.of("untitled:One", "not a uri", "file:relative", "file://host/x", "")) {
      assertThat(new Document(odd, 1, "").path()).isEqualTo(odd);
    }
  }
}
