package dev.ply.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Formats as shell scripts with parameters. */
class ShellScriptTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "echo %s %d | echo \"${1}\" \"${2}\"",
        "echo \"a %s b\" %s | echo \"a ${1} b\" \"${2}\"",
        "echo 'a %s b' %s | echo 'a '\"${1}\"' b' \"${2}\"",
        "echo \\%s | echo \"${1}\"",
        "echo \\\"%s | echo \\\"\"${1}\"",
        "echo \"\\\"%s\" | echo \"\\\"${1}\"",
        "echo \"$(cat %s)\" | echo \"$(cat \"${1}\")\"",
        "echo \"($x %s)\" | echo \"($x ${1})\"",
        "(cd %s; ls '%s') | (cd \"${1}\"; ls ''\"${2}\"'')",
        "echo %%%s | echo %\"${1}\"",
      })
  void parametersFollowTheQuotesOfTheFormat(String format, String script) {
    assertThat(ShellScript.of(PrintfFormat.parse(format))).isEqualTo(script);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eval %s",
        "sh -c %s",
        "bash -ec '%s'",
        "echo $((%s))",
        "[[ %s -eq 1 ]]",
        "ssh host %s"
      })
  void whatParsesItsOperandsAgainIsFound(String format) {
    assertThat(ShellScript.evaluates(PrintfFormat.parse(format))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo %s",
        "ps -p %d",
        "cat /proc/%d/maps | grep -c %s",
        "retrieval %s",
        "./eval %s"
      })
  void otherCommandsAreFree(String format) {
    assertThat(ShellScript.evaluates(PrintfFormat.parse(format))).isFalse();
  }
}
