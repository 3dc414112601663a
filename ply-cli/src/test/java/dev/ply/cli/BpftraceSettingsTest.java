package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.ir.Configuration;
import dev.ply.ir.Setting;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BpftraceSettingsTest {
  @Test
  void variablesAreDefaultsOfSettings() throws UsageException {
    Configuration settings =
        BpftraceSettings.of(
            Map.of("BPFTRACE_STRLEN", "200", "BPFTRACE_STACK_MODE", "perf", "HOME", "/root"));
    assertThat(settings.values())
        .isEqualTo(Map.of(Setting.MAX_STRLEN, "200", Setting.STACK_MODE, "perf"));
    Configuration ofScript = new Configuration(Map.of(Setting.STACK_MODE, "raw"));
    assertThat(ofScript.withDefaults(settings).values())
        .isEqualTo(Map.of(Setting.MAX_STRLEN, "200", Setting.STACK_MODE, "raw"));
  }

  @Test
  void wrongValuesAreReported() {
    assertThatThrownBy(() -> BpftraceSettings.of(Map.of("BPFTRACE_MAX_MAP_KEYS", "many")))
        .isInstanceOf(UsageException.class)
        .hasMessage("BPFTRACE_MAX_MAP_KEYS is a number above 0, not \"many\"");
  }
}
