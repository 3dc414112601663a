package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.io.Terminal;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that appear at a terminal only. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class FirstMinutesIT {
  private static final String PROGRAM = "tracepoint:sched:sched_process_hang { @ = count(); }";

  @BeforeEach
  void start() {
    Live.assumeTracing();
  }

  private static Call atTerminal(String... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        new Ply(InputStream.nullInputStream(), output, errors, Terminal.SHOWN).run(arguments);
    return new Call(
        status, output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
  }

  @Test
  void plyAloneSaysWhatToTry() {
    Call call = atTerminal();
    assertThat(call.status()).isZero();
    assertThat(call.errors()).isEmpty();
    assertThat(call.output())
        .startsWith("ply traces this Linux system")
        .contains("ply -h ", "ply doctor ");
    List<String> commands = new FirstWords(new RunningKernel()).commands();
    assertThat(commands).hasSize(3).allMatch(call.output()::contains);
    for (String command : commands) {
      String script = command.substring(command.indexOf('\'') + 1, command.lastIndexOf('\''));
      assertThat(Call.ply("-e", script))
          .as(command)
          .isEqualTo(new Call(0, "", "the program is correct (-e only checks it)\n"));
    }
  }

  @Test
  void aTraceSaysThatItRuns() {
    assertThat(atTerminal("-d", "100ms", PROGRAM).errors())
        .isEqualTo("tracing 1 probe… for 0.1 s; Ctrl-C ends\n");
    assertThat(atTerminal("-c", "true", PROGRAM).errors())
        .isEqualTo("tracing 1 probe… until the command ends; Ctrl-C ends\n");
  }

  @Test
  void thatIsNotSaidToPrograms() {
    assertThat(Call.ply("-d", "100ms", PROGRAM).errors()).isEmpty();
    assertThat(atTerminal("-q", "-d", "100ms", PROGRAM).errors()).isEmpty();
    assertThat(atTerminal("-f", "json", "-d", "100ms", PROGRAM).errors()).isEmpty();
    assertThat(atTerminal("BEGIN { exit(); }").errors()).isEmpty();
    assertThat(atTerminal("bt", "-d", "100ms", "-e", PROGRAM).errors())
        .isEqualTo("Attached 1 probe\n");
  }
}
