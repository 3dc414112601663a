package dev.ply.bpf.session;

import static dev.ply.Values.comm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.analysis.Analyzer;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.lang.PlyScript;
import dev.ply.type.Dialect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A literal that is longer than the strings it meets can never be one of them. */
class TooLongLiteralsTest {
  private static final SimulatedTarget TARGET = SimulatedTarget.create();

  private static List<String> warnings(Script script) {
    return new Analyzer(TARGET)
        .analyze(script).warnings().stream().map(Diagnostic::message).toList();
  }

  private static Script script(String body) {
    return PlyScript.parse("kprobe:f { " + body.replace('\'', '"') + " }");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "print(comm == 'exactly16bytes!!'); | this is never true: `comm` has at most 15 bytes, this"
            + " has 16",
        "print('twenty-bytes-of-name' != comm); | this is always true: `comm` has at most 15 bytes,"
            + " this has 20",
        "print(comm == 'ééééééééé'); | this is never true: `comm` has at most 15 bytes, this has"
            + " 18",
        "if (comm == 'exactly16bytes!!') { exit(0); } | this is never true: `comm` has at most 15"
            + " bytes, this has 16",
        "print(comm == 'exactly16bytes!!' ? 1 : 2); | this is never true: `comm` has at most 15"
            + " bytes, this has 16",
        "print(str(arg0, 8) == '12345678'); | this is never true: `str` has at most 7 bytes, this"
            + " has 8",
        "print(mem(arg0, 4) == '12345'); | this is never true: `mem` has at most 4 bytes, this has"
            + " 5",
        "print(strcmp(comm, 'twenty-bytes-of-name')); | `strcmp` is never 0: `comm` has at most 15"
            + " bytes, this has 20",
        "print(strncmp(comm, 'twenty-bytes-of-name', 20)); | `strncmp` is never 0: `comm` has at"
            + " most 15 bytes, this has 20",
        "print(strncmp('twenty-bytes-of-name', comm, 17)); | `strncmp` is never 0: `comm` has at"
            + " most 15 bytes, compared are 17",
        "print(strcontains(comm, 'twenty-bytes-of-name')); | this is never found: `comm` has at"
            + " most 15 bytes, this has 20",
        "print(strglob(comm, '*twenty-bytes-of-name*')); | this never matches: `comm` has at most"
            + " 15 bytes, the pattern requires 20",
        "@[comm] = count(); print(@['twenty-bytes-of-name']); | map `@` never has this key: stored"
            + " keys have at most 15 bytes there, this has 20",
        "m[1, comm] = 1; delete m[1, 'twenty-bytes-of-name']; | map `m` never has this key: stored"
            + " keys have at most 15 bytes there, this has 20",
        "@[comm] = 1; print(has_key(@, 'twenty-bytes-of-name')); | map `@` never has this key:"
            + " stored keys have at most 15 bytes there, this has 20",
      })
  void itIsWarnedOf(String body, String message) {
    String quoted = message.replace('`', '"');
    assertThat(warnings(script(body))).containsExactly(quoted);
    Script bpftrace = script(body).withConfiguration(new Configuration(Map.of(), Dialect.BPFTRACE));
    assertThat(warnings(bpftrace)).containsExactly(quoted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "print(comm == 'exactly15bytes!');",
        "print(strncmp(comm, 'twenty-bytes-of-name', 15));",
        "print(strglob(comm, 'exactly15bytes*'));",
        "print(str(arg0) == 'a string of more than fifteen bytes');",
        "print(str(arg0, 8) == '1234567');",
        "@[comm] = 1; @['twenty-bytes-of-name'] = 2; print(@['twenty-bytes-of-name']);",
        "print(@['twenty-bytes-of-name']); @[str(arg0)] = 1;",
        "$x = comm; print($x == 'exactly15bytes!');",
        "print('a' == 'twenty-bytes-of-name');",
      })
  void whatCanMatchIsNotWarnedOf(String body) {
    assertThat(warnings(script(body))).isEmpty();
  }

  @Test
  void theFluentFormHasTheSame() {
    var probe = Probe.kprobe("f").where(comm().eq("a-name-of-twenty-one")).count();
    assertThat(SimulatedTracer.create().prepare(probe).warnings())
        .extracting(Diagnostic::message)
        .containsExactly("this is never true: \"comm\" has at most 15 bytes, this has 20");
  }

  @Test
  void theyComeInTheOrderOfTheScript() {
    String all = "print(comm == 'bbbbbbbbbbbbbbbbb'); print(comm == 'aaaaaaaaaaaaaaaaaa');";
    for (int i = 0; i < 20; i++) {
      assertThat(warnings(script(all.repeat(3))))
          .extracting(message -> message.replaceAll(".* ", ""))
          .containsExactly("17", "18", "17", "18", "17", "18");
    }
  }
}
