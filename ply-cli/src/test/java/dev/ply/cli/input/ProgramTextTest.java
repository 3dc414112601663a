package dev.ply.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Source;
import dev.ply.type.TextBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramTextTest {
  @TempDir Path directory = Path.of("");

  private static Source read(String operand) throws UsageException {
    return ProgramText.read(operand, InputStream.nullInputStream());
  }

  @Test
  void aDashIsWhatIsPipedIn() throws UsageException {
    InputStream input = new ByteArrayInputStream("BEGIN { }".getBytes(StandardCharsets.UTF_8));
    assertThat(ProgramText.read("-", input)).isEqualTo(new Source("<stdin>", "BEGIN { }"));
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheProgram() throws IOException, UsageException {
    Path script = directory.resolve("script.ply");
    Files.writeString(script, "\uFEFFBEGIN { }\r\n");
    assertThat(read(script.toString()).text()).isEqualTo("BEGIN { }\r\n");
  }

  @Test
  void commentsMayHaveAnotherEncoding() throws IOException, UsageException {
    Path script = directory.resolve("script.ply");
    byte[] bytes = "# caf\u00e9\nBEGIN { }".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(script, bytes);
    assertThat(read(script.toString()).text()).isEqualTo(TextBytes.decode(bytes));
  }

  @Test
  void whatIsNoTextIsNoProgram() throws IOException {
    Path file = directory.resolve("file");
    Files.write(file, new byte[] {0x7f, 'E', 'L', 'F', 0, 1});
    assertThatThrownBy(() -> read(file.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessage(file + " is not a program: it contains bytes that are not text");
  }

  @Test
  void whatHasNoEndIsNoProgram() {
    assertThatThrownBy(() -> read("/dev/zero"))
        .isInstanceOf(UsageException.class)
        .hasMessage("/dev/zero is not a program: it contains bytes that are not text");
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return '#';
          }
        };
    assertThatThrownBy(() -> ProgramText.read("-", endless))
        .isInstanceOf(UsageException.class)
        .hasMessage("<stdin> is not a program: it is larger than 1 MiB");
  }

  @Test
  void aReadableFileIsTheProgram() throws IOException, UsageException {
    Path script = directory.resolve("script.ply");
    Files.writeString(script, "#!/usr/bin/ply\nBEGIN { exit(0); }\n");
    assertThat(read(script.toString()))
        .isEqualTo(new Source(script.toString(), "#!/usr/bin/ply\nBEGIN { exit(0); }\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN { exit(0); }",
        "tracepoint:sched/sched_switch print(1);",
        "k:a / pid == 1 / { }",
        "",
        "no\0name"
      })
  void otherOperandsAreTheProgramItself(String operand) throws UsageException {
    assertThat(read(operand)).isEqualTo(new Source("<input>", operand));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scripts/opens", "opens.ply", "/nowhere/at-all"})
  void namesOfMissingFilesAreNoPrograms(String operand) {
    assertThatThrownBy(() -> read(operand))
        .isInstanceOf(UsageException.class)
        .hasMessage("no such file: " + operand);
  }

  @Test
  void aDirectoryIsNoProgram() {
    assertThatThrownBy(() -> read(directory.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is a directory");
  }
}
