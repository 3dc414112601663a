package dev.ply.cli.live.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What would have been printed while the view is shown. */
final class EventLogTest {
  private final EventLog log = new EventLog();

  private static void print(OutputStream stream, String text) throws IOException {
    stream.write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void linesAreWhatIsWrittenInPieces() throws IOException {
    OutputStream output = log.output();
    print(output, "one\nt");
    assertThat(log.newest(10)).containsExactly("one");
    print(output, "wo\n\n");
    assertThat(log.newest(10)).containsExactly("one", "two", "");
    assertThat(log.newest(2)).containsExactly("two", "");
  }

  @Test
  void linesAreEscaped() throws IOException {
    print(log.output(), "a\033[2J\r\tb\u00e2\u0080\u00ae\u00ff\n");
    assertThat(log.newest(1)).containsExactly("a\\x1b[2J\\r    b\\xe2\\x80\\xae\\xff");
  }

  @Test
  void olderLinesAreCounted() throws IOException {
    OutputStream output = log.output();
    for (int i = 0; i < EventLog.MOST_LINES + 3; i++) {
      print(output, i + "\n");
    }
    assertThat(log.count()).isEqualTo(EventLog.MOST_LINES + 3);
    assertThat(log.leftOut()).isEqualTo(3);
    assertThat(log.newest(EventLog.MOST_LINES)).hasSize(EventLog.MOST_LINES).startsWith("3");
  }

  @Test
  void whatIsKeptGoesWhereItWouldHaveGone() throws IOException {
    print(log.output(), "result\n");
    print(log.errors(), "message\n");
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    log.drain(output, errors);
    log.drain(output, errors);
    assertThat(output).hasToString("result\n");
    assertThat(errors).hasToString("message\n");
  }
}
