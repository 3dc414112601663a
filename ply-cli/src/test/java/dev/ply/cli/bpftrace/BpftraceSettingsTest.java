package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.cli.io.UsageException;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** The variables of bpftrace 0.26, and of releases since 2021, each with a value of its own. */
  @ParameterizedTest
  @CsvSource({
    "BPFTRACE_CACHE_USER_SYMBOLS, PER_PID",
    "BPFTRACE_CPP_DEMANGLE, 0",
    "BPFTRACE_LAZY_SYMBOLICATION, 1",
    "BPFTRACE_LICENSE, GPL",
    "BPFTRACE_LOG_SIZE, 1000000",
    "BPFTRACE_MAX_AST_NODES, 100",
    "BPFTRACE_MAX_BPF_PROGS, 1024",
    "BPFTRACE_MAX_CAT_BYTES, 100",
    "BPFTRACE_MAX_MAP_KEYS, 8192",
    "BPFTRACE_MAX_PROBES, 2048",
    "BPFTRACE_MAX_STRLEN, 128",
    "BPFTRACE_MAX_TYPE_RES_ITERATIONS, 5",
    "BPFTRACE_MISSING_PROBES, warn",
    "BPFTRACE_ON_STACK_LIMIT, 32",
    "BPFTRACE_PERF_RB_PAGES, 64",
    "BPFTRACE_PRINT_MAPS_ON_EXIT, false",
    "BPFTRACE_SHOW_DEBUG_INFO, true",
    "BPFTRACE_STACK_MODE, raw",
    "BPFTRACE_STRLEN, 64",
    "BPFTRACE_STR_TRUNC_TRAILER, ..",
    "BPFTRACE_SYMBOL_SOURCE, dwarf",
    "BPFTRACE_UNSTABLE_ADDR, enable",
    "BPFTRACE_UNSTABLE_IMPORT, warn",
    "BPFTRACE_UNSTABLE_MACRO, enable",
    "BPFTRACE_UNSTABLE_MAP_DECL, enable",
    "BPFTRACE_UNSTABLE_TSERIES, error",
    "BPFTRACE_USE_BLAZESYM, 1",
  })
  void allVariablesAreKnown(String name, String value) throws UsageException {
    assertThat(BpftraceSettings.of(Map.of(name, value)).values()).containsValue(value).hasSize(1);
  }

  @Test
  void wrongValuesAreReported() {
    assertThatThrownBy(() -> BpftraceSettings.of(Map.of("BPFTRACE_MAX_MAP_KEYS", "many")))
        .isInstanceOf(UsageException.class)
        .hasMessage("BPFTRACE_MAX_MAP_KEYS is a number above 0, not \"many\"");
  }
}
