package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.analysis.rewrite.Restriction;
import dev.ply.lang.print.ScriptPrinter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestrictionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "kprobe:f { exit(0); } # kprobe:f / pid == 7 / { exit(0); }",
        "u:c:puts / arg0 || cpu / { exit(0); } # u:c:puts / pid == 7 && (arg0 || cpu) / { exit(0);"
            + " }",
        "profile:99hz { exit(0); } # profile:99hz / pid == 7 / { exit(0); }",
        "BEGIN { exit(0); } # BEGIN { exit(0); }",
        "END { print(1); } # END { print(1); }",
        "interval:1s { exit(0); } # interval:1s { exit(0); }"
      })
  void hitsOfOtherProcessesDoNotCount(String script, String filtered) {
    assertThat(ScriptPrinter.print(Restriction.toProcess(7).apply(PlyScript.parse(script))))
        .isEqualTo(ScriptPrinter.print(PlyScript.parse(filtered)));
  }
}
