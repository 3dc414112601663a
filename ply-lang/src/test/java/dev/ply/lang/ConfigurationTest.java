package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Setting;
import dev.ply.lang.print.ScriptPrinter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
  private static final String PROBE = "BEGIN { exit(0); }\n";

  private static List<String> messages(String script) {
    return ScriptParser.parse(new Source("test", script)).diagnostics().stream()
        .map(Diagnostic::message)
        .toList();
  }

  @Test
  void settingsAreNamesNumbersOrStrings() {
    Script script =
        PlyScript.parse(
            """
            // A comment.
            config = { stack_mode = perf; max_map_keys = 64; missing_probes = "warn" }
            """
                + PROBE);
    assertThat(script.configuration().values())
        .isEqualTo(
            Map.of(
                Setting.STACK_MODE, "perf",
                Setting.MAX_MAP_KEYS, "64",
                Setting.MISSING_PROBES, "warn"));
    assertThat(PlyScript.parse(ScriptPrinter.print(script)).configuration())
        .isEqualTo(script.configuration());
  }

  @Test
  void aNameMayBeThatOfTheEnvironmentVariable() {
    assertThat(
            PlyScript.parse("config = { BPFTRACE_MAX_STRLEN = 200 } " + PROBE)
                .configuration()
                .number(Setting.MAX_STRLEN))
        .hasValue(200);
  }

  @Test
  void whatIsWrongOrWithoutEffectIsReported() {
    assertThat(messages("config = { max_map_key = 1; } " + PROBE))
        .containsExactly("unknown setting \"max_map_key\"");
    assertThat(messages("config = { max_map_keys = 0; missing_probes = maybe } " + PROBE))
        .containsExactly(
            "max_map_keys takes a number above 0", "missing_probes takes error, warn or ignore");
    assertThat(messages("config = { log_size = 1000 } " + PROBE))
        .containsExactly("log_size has no effect here");
    assertThat(messages("config = { str_trunc_trailer = 5 } " + PROBE))
        .containsExactly("str_trunc_trailer takes a string");
    assertThat(messages("config = { license = \"Dual BSD/GPL\" } " + PROBE))
        .containsExactly("license has no effect here");
    assertThat(messages("config = { license = \"Potato\" } " + PROBE))
        .singleElement()
        .asString()
        .startsWith("license takes \"GPL\", \"GPL v2\"");
    assertThat(messages("config = { max_map_keys 3 } " + PROBE)).isNotEmpty();
    assertThat(messages("config = { max_map_keys = ")).isNotEmpty();
  }

  @Test
  void mapsMayBeCalledConfig() {
    assertThat(messages("BEGIN { config[1] = 2; print(config[1]); }")).isEmpty();
  }
}
