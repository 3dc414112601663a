package dev.ply.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.text.PrintfFormat;
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
        "ssh host %s",
        "echo %s | sh",
        "echo %s | /bin/bash",
        "echo %s|sudo sh",
        "env sh -c 'echo '%s",
        "xargs sh -c %s",
        "echo %s | xargs -n1 sh -c",
        "env -S %s",
        "env -S 'echo '%s",
        "flock -c %s /tmp/x",
        "flock /tmp/x -c %s",
        "a=%s; $a",
        "a=%s",
        "a='x %s' ; $a",
        "a=$(echo %s); $a",
        "a=%s && b=1",
        "for a in %s; do $a; done",
        "for a in $(echo %s); do $a; done",
        "%s",
        "'%s'",
        "/usr/bin/%s",
        "echo; %s",
        "echo | %s",
        "(%s)",
        "{ %s; }",
        "! %s",
        "if %s; then echo; fi",
        "exec %s",
        "timeout 5 %s",
        "timeout -k 1 5s %s",
        "nice -n 5 %s",
        "nohup %s",
        "echo `%s`",
        "echo $(%s)",
        "echo \"$(%s)\"",
        "$(echo %s)",
        "echo %s; $_",
        "echo %s; $1",
        "echo %s; \"$@\"",
        "set -- %s; $1",
        "read a; echo %s",
        "PATH=%s ls",
        "LD_PRELOAD=%s ls",
        "find / -name %s -exec ls {} +",
        "awk '{ print \"%s\" }' file",
        "awk %s file",
        "sed s/%s/b/ file",
        "sed -e %s file",
        "python3 -c %s",
        "echo %s | python3",
        "perl -e 'print %s'",
        "cat <<E\n%s\nE",
        "echo %s | at now",
        "watch ls %s",
        "busybox %s",
        ". %s",
      })
  void whatCouldRunAValueIsFound(String format) {
    assertThat(ShellScript.danger(PrintfFormat.parse(format))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo %s",
        "ps -p %d",
        "cat /proc/%d/maps | grep -c %s",
        "retrieval %s",
        "./eval %s",
        "echo \"$(cat %s)\"",
        "(cd %s; ls '%s')",
        "A=%s B='%s' printenv A",
        "dd if=%s of=/dev/null",
        "logger -t trace -- %s && echo 'it is %s'",
        "echo %s >>/tmp/log 2>&1 || echo gone",
        "if grep -q %s /etc/hosts; then echo \"%s\"; fi",
        "timeout 5 ls %s",
        "sudo ls %s",
        "awk -v name=%s '$1 == name' /etc/passwd",
        "sed -n 1p %s",
        "python3 /opt/note.py %s",
        "/opt/note.sh %s",
        "echo sh.txt %s",
        "for i in 1 2; do echo $i %s; done",
        "case %s in a) echo b ;; esac",
        "$HOME/bin/note %s",
      })
  void argumentsAndVariablesOfACommandAreFree(String format) {
    assertThat(ShellScript.danger(PrintfFormat.parse(format))).isEmpty();
  }
}
