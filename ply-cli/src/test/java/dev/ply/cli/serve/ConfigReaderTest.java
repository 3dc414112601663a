package dev.ply.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.cli.profile.ProfileStores;
import dev.ply.cli.yaml.YamlErrors;
import dev.ply.cli.yaml.YamlFile;
import dev.ply.diagnostic.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configurations and their errors. */
@Tag("any-java")
class ConfigReaderTest {
  @TempDir Path directory;

  private static List<String> errors(String name, String text) {
    ConfigReader.Refusal refusal =
        catchThrowableOfType(
            ConfigReader.Refusal.class, () -> ConfigReader.of(new Source(name, text)));
    return refusal == null ? List.of() : refusal.lines();
  }

  private List<String> errorsHere(String text) {
    String prefix = directory.resolve("ply.yaml").toString();
    return errors(prefix, text).stream()
        .map(line -> line.replace(prefix + ":", "").replace(directory.toString(), "DIR"))
        .toList();
  }

  @Test
  void aConfigurationIsRead() throws Exception {
    Path script = Files.writeString(directory.resolve("disk.ply"), "BEGIN { }");
    ServeConfig config =
        ConfigReader.of(
            new Source(
                directory.resolve("ply.yaml").toString(),
                """
                prometheus: 0.0.0.0:9435
                otlp: "-"
                reload_by_http: true
                max_series: 50
                series_ttl: 10m
                scripts:
                  disk:
                    file: disk.ply
                    options: [--container, web, --map-entries, 1000]
                    max_series: 7
                  opens:
                    tool: opensnoop
                    thread_labels: true
                  calls: &calls
                    text: |
                      kprobe:f { @ = count(); }
                  more: *calls
                """));
    assertThat(config.prometheus().orElseThrow().port()).isEqualTo(9435);
    assertThat(config.otlp()).contains("-");
    assertThat(config.reloads()).isTrue();
    assertThat(config.scripts())
        .extracting(ScriptConfig::name)
        .containsExactly("disk", "opens", "calls", "more");
    ScriptConfig disk = config.scripts().get(0);
    assertThat(disk.value()).isEqualTo(script.toString());
    assertThat(disk.options()).containsExactly("--container", "web", "--map-entries", "1000");
    assertThat(disk.metrics().maxSeries()).isEqualTo(7);
    assertThat(disk.metrics().seriesTtl()).isEqualTo(Duration.ofMinutes(10));
    assertThat(disk.metrics().script()).contains("disk");
    assertThat(config.scripts().get(1).metrics().threadLabels()).isTrue();
    assertThat(config.scripts().get(1).metrics().maxSeries()).isEqualTo(50);
    assertThat(config.scripts().get(3).value()).isEqualTo("kprobe:f { @ = count(); }\n");
  }

  @Test
  void allErrorsAreFoundAtOnce() throws Exception {
    Files.writeString(directory.resolve("good.ply"), "BEGIN { }");
    assertThat(
            errorsHere(
                """
                prometheus: 127.0.0.1:99999
                max_serie: 100
                otlp: foo
                scripts:
                  Good: {file: good.ply}
                  lost: {file: nope.ply}
                  a: {fiel: x}
                  b: {file: good.ply, tool: x}
                  c:
                  d: {text: 7, options: x}
                  e: {file: good.ply, series_ttl: 0, thread_labels: yes}
                  e: 1
                """))
        .containsExactly(
            "1:13: prometheus takes a port from 0 (any that is free) to 65535, or HOST:PORT, not"
                + " \"127.0.0.1:99999\"; an IPv6 address is written [::1]:9435",
            "2:1: unknown key \"max_serie\" (did you mean \"max_series\"?)",
            "3:7: otlp takes a URL such as http://localhost:4318 (\"-\" is the endpoint that"
                + " OTEL_EXPORTER_OTLP_* give)",
            "5:3: \"Good\" is not a script name (names are lower-case letters, digits and _, such"
                + " as disk_reads: metrics are called ply_NAME_MAP)",
            "6:3: \"lost\" is reserved: ply_lost_… are metrics of ply itself",
            "6:16: no such file: DIR/nope.ply (paths are relative to the configuration's"
                + " directory)",
            "7:3: script \"a\" has no program (it has one of file, text, tool or bpftrace)",
            "7:7: unknown key \"fiel\" (did you mean \"file\"?)",
            "8:3: script \"b\" has several programs (it has one of file, text, tool or bpftrace)",
            "9:3: script \"c\" has no program (it has one of file, text, tool or bpftrace)",
            "10:13: text takes a script, such as kprobe:vfs_read { @ = count(); } (file takes a"
                + " path)",
            "10:25: \"options\" takes a list: [one, two]",
            "11:35: series_ttl is a time above 0, not \"0\"",
            "11:53: \"thread_labels\" takes true or false",
            "12:3: \"e\" is given twice (first in line 11)");
  }

  @Test
  void whatIsNoYamlIsOneError() {
    assertThat(errorsHere("a: [\n\tb"))
        .containsExactly(
            "2:3: this is no YAML: while parsing a flow sequence, expected ',' or ']', but got"
                + " <stream end> (lines are indented by spaces, not by tabs)");
    assertThat(errorsHere("- a"))
        .containsExactly("1:1: the file is no mapping (it has lines such as key: value)");
    assertThat(errorsHere("a: !!java.net.URL [x]\nscripts: {a: {text: '{'}}"))
        .containsExactly(
            "1:1: unknown key \"a\" (known are prometheus, web_config_file, otlp, pyroscope, parca, otlp_profiles, profile_interval, reload_by_http,"
                + " cost, max_series, series_ttl, thread_labels, scripts)");
  }

  @Test
  void nothingToRunOrToExportIsAnError() {
    assertThat(errorsHere(""))
        .containsExactly("1:1: no scripts (scripts: { disk: { file: disk.ply } } runs one)");
    assertThat(errorsHere("scripts: {a: {text: '{'}}"))
        .containsExactly(
            "1:1: nothing is exported (prometheus: 9435 serves metrics; otlp:"
                + " http://localhost:4318 sends them)");
    assertThat(errorsHere("otlp: http://x\nreload_by_http: true\nscripts: {a: {text: '{'}}"))
        .containsExactly("2:1: reload_by_http is for prometheus, which is not given");
  }

  @Test
  void theConfigurationOfTheHelpIsRight() throws Exception {
    for (String file : List.of("disk.ply", "latency.bt")) {
      Files.writeString(directory.resolve(file), "BEGIN { }");
    }
    assertThat(errorsHere(Serve.EXAMPLE)).isEmpty();
  }

  @Test
  void theConfigurationOfTheManualIsRight() throws Exception {
    for (String file : List.of("disk.ply", "latency.bt")) {
      Files.writeString(directory.resolve(file), "BEGIN { }");
    }
    String page = Files.readString(Path.of("../docs/SERVE.md"));
    int begin = page.indexOf("```yaml\n") + "```yaml\n".length();
    String example = page.substring(begin, page.indexOf("```", begin));
    assertThat(example).contains("scripts:");
    assertThat(errorsHere(example)).isEmpty();
  }

  @Test
  void aliasesDoNotExplode() {
    StringBuilder text = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 40; i++) {
      text.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(errorsHere(text + "scripts: &s {a: *s}\n")).isNotEmpty();
    assertThat(errorsHere("[".repeat(100_000))).hasSize(1);
  }

  @Property(tries = 500)
  void anyTextIsReadOrHasErrors(
      @ForAll @StringLength(max = 60) @CharRange(from = ' ', to = '~') String text) {
    Source source = new Source("x", text);
    YamlErrors errors = new YamlErrors(source);
    YamlFile.parse(source, errors).requireRead();
    assertThat(errors("x", text)).isNotEmpty();
    assertThat(Optional.of(errors.all())).isPresent();
  }

  @Test
  void profilesAreSentAsTheKeysSay() throws Exception {
    String scripts = "scripts: { a: { text: 'BEGIN { }' } }\n";
    ServeConfig config =
        ConfigReader.of(
            new Source(
                "ply.yaml",
                "pyroscope: http://localhost:4040\nparca: https://p\nprofile_interval: 5s\n"
                    + scripts));
    assertThat(config.profiles())
        .isEqualTo(
            new ProfileConfig(
                new ProfileStores(
                    Optional.of("http://localhost:4040"),
                    Optional.of("https://p"),
                    Optional.empty()),
                Duration.ofSeconds(5)));
    assertThat(errorsHere("pyroscope: nowhere\notlp_profiles: nowhere\nparca: '-'\n" + scripts))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("3:8: ") && line.contains("parca takes a URL"))
        .anyMatch(line -> line.startsWith("1:12: ") && line.contains("pyroscope takes a URL"))
        .anyMatch(line -> line.startsWith("2:16: ") && line.contains("otlp_profiles takes a URL"));
    assertThat(errorsHere("prometheus: 9435\nprofile_interval: 5s\n" + scripts))
        .singleElement()
        .asString()
        .contains("profile_interval is for pyroscope, parca and otlp_profiles");
    assertThat(errorsHere("pyroscope: http://localhost:4040\nprofile_interval: 5ms\n" + scripts))
        .singleElement()
        .asString()
        .startsWith("2:19: profile_interval is a time from 1s to 1h");
  }
}
