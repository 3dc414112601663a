package dev.ply.kernel.process;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that run one program, and others. */
class SimpleCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '~',
      value = {
        "ls! ls! exec ls",
        "./prog -x! ./prog! exec ./prog -x",
        "FOO=1 /bin/true x! /bin/true! FOO=1 exec /bin/true x",
        "A='b c' B=\"d $e\" env! env! A='b c' B=\"d $e\" exec env",
        "python3 -c 'f(1); g()'! python3! exec python3 -c 'f(1); g()'",
        "\"/opt/my app/run\" a! /opt/my app/run! exec \"/opt/my app/run\" a",
        "/opt/my\\ app/run! /opt/my app/run! exec /opt/my\\ app/run",
        "dd if=/dev/zero of=/dev/null 2>&1 >/dev/null! dd! exec dd if=/dev/zero of=/dev/null 2>&1"
            + " >/dev/null",
        "2>/dev/null cat <in! cat! 2>/dev/null exec cat <in",
        "$HOME/bin/x $1! $HOME/bin/x! exec $HOME/bin/x $1",
        "cd /tmp && ./app a! ./app! cd /tmp && exec ./app a",
        "cd '/my dir'; A=1; export B=2; umask 77; C=3 app -x! app! cd '/my dir'; A=1; export B=2;"
            + " umask 77; C=3 exec app -x",
        "set -e; cd /! cd! set -e; exec cd /",
        "ls;! ls! exec ls;",
        "PATH=/x ./app! ./app! PATH=/x exec ./app",
        "grep -e 'a|b' \"c;d\" # e; f! grep! exec grep -e 'a|b' \"c;d\" # e; f",
      })
  void oneProgramTakesThePlaceOfTheShell(String text, String program, String executed) {
    assertThat(SimpleCommand.of(text))
        .hasValueSatisfying(
            command -> {
              assertThat(command.program()).isEqualTo(program);
              assertThat(command.executed()).isEqualTo(executed);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "A=1",
        "# ls",
        "a; b",
        "a && b",
        "a | b",
        "a &",
        "(a)",
        "a\nb",
        "a `b`",
        "a $(b)",
        "a \"$(b)\"",
        "cat <<x",
        "a 'b",
        "a \"b",
        "f() { a; }",
        "a # b\nc",
        "a; cd /",
        "cd / || a",
        "cd / & a",
        ">x; a",
        "cd /;; a",
        "PATH=/x app",
        "export PATH=/x && app",
        "read line; ./app",
      })
  void othersAreLeftToTheShell(String text) {
    assertThat(SimpleCommand.of(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n./app",
        "./app\n",
        " \n cd /\n./app # x\n",
        "cd / && \\\n./app",
        "cd /\n# x\n./app"
      })
  void linesAreCommands(String text) {
    assertThat(SimpleCommand.of(text)).map(SimpleCommand::program).contains("./app");
  }

  @Test
  void whatFollowsIsKeptAsWritten() {
    assertThat(SimpleCommand.of("  A=1   ls   -l  "))
        .contains(new SimpleCommand("  A=1   ", "ls", "ls   -l  "));
  }

  @Property
  void anyTextIsTakenApartWithoutLoss(@ForAll @CharRange(from = ' ', to = '~') String text) {
    SimpleCommand.of(text)
        .ifPresent(command -> assertThat(command.before() + command.from()).isEqualTo(text));
  }
}
