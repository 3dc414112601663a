package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The chart for Kubernetes, rendered by Helm. {@code -Dgolden.update=true} writes the manifest of
 * its default values.
 */
@Tag("any-java")
class ChartTest {
  private static final Path KUBERNETES = Path.of("src/dist/kubernetes");
  private static final Path CHART = KUBERNETES.resolve("ply");

  @TempDir private Path directory = Path.of("");

  private static TemplateCommand template() {
    return new Helm(CHART)
        .template()
        .withName("ply")
        .withNamespace("tracing")
        .withKubeVersion("1.32.0");
  }

  private String rendered(String values) throws IOException {
    Path file = Files.writeString(directory.resolve("values.yaml"), values);
    return template().withValuesFile(file).call();
  }

  @Test
  void helmFindsNoFault() {
    LintResult result = new Helm(CHART).lint().strict().call();
    assertThat(result.isFailed()).describedAs("%s", result.getMessages()).isFalse();
    assertThat(result.getMessages()).noneMatch(line -> line.contains("WARNING"));
  }

  /** Who has no Helm applies this. */
  @Test
  void theManifestIsTheChartWithItsDefaults() throws Exception {
    Path manifest = KUBERNETES.resolve("ply.yaml");
    String rendered = template().call().replaceAll("(?m)^ *helm.sh/chart: .*\n", "");
    rendered = rendered.replace("managed-by: Helm", "managed-by: kubectl");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(manifest, rendered);
    }
    assertThat(rendered).isEqualTo(Files.readString(manifest));
  }

  @Test
  void aContainerHasTheCapabilitiesThatWereAskedForAndNoOthers() throws Exception {
    String rendered = rendered("capabilities: [BPF, PERFMON, SYS_PTRACE]\nhostPID: true\n");
    assertThat(rendered)
        .contains(
            """
                        capabilities:
                          drop: [ALL]
                          add:
                            - BPF
                            - PERFMON
                            - SYS_PTRACE
            """
                .indent(0))
        .contains("hostPID: true", "privileged: false", "readOnlyRootFilesystem: true")
        .contains("allowPrivilegeEscalation: false", "automountServiceAccountToken: false");
    assertThat(rendered("{}")).contains("hostPID: false").doesNotContain("SYS_PTRACE");
  }

  @Test
  void scriptsAndFilesComeThroughUnchanged() throws Exception {
    assertThat(
            rendered(
                """
                otlp: http://collector:4318
                scripts:
                  disk: {file: disk.ply, options: [--container, web]}
                  opens: {tool: opensnoop}
                files:
                  disk.ply: "  # {{ no template }}\\nBEGIN { @ = \\"a: b\\"; }\\n"
                """))
        .contains("otlp: \"http://collector:4318\"")
        .contains("file: disk.ply", "tool: opensnoop", "- --container")
        .contains("\"disk.ply\": \"  # {{ no template }}\\nBEGIN { @ = \\\"a: b\\\"; }\\n\"");
  }

  @Test
  void theConfigurationIsOneOfPlyServe() throws Exception {
    String rendered =
        rendered(
            """
            otlp: "-"
            pyroscope: "-"
            parca: http://parca:7070
            scripts:
              begins: {text: "BEGIN { @ = count(); }\\n", options: [--map-entries, 16]}
              ends: {file: ends.ply}
            files: {ends.ply: "END { @ = count(); }"}
            """);
    Map<?, ?> map =
        documents(rendered).stream()
            .filter(one -> "ConfigMap".equals(one.get("kind")))
            .findFirst()
            .orElseThrow();
    for (Map.Entry<?, ?> file : Objects.requireNonNull((Map<?, ?>) map.get("data")).entrySet()) {
      Files.writeString(
          directory.resolve(String.valueOf(file.getKey())), String.valueOf(file.getValue()));
    }
    Call call = Call.ply("serve", "--check", directory.resolve("ply.yaml").toString());
    assertThat(rendered).contains("parca: \"http://parca:7070\"", "pyroscope: \"-\"");
    assertThat(call.errors()).doesNotContain("error");
    assertThat(call.status()).isZero();
  }

  private static List<Map<?, ?>> documents(String rendered) {
    List<Map<?, ?>> documents = new ArrayList<>();
    for (Object one : new Load(LoadSettings.builder().build()).loadAllFromString(rendered)) {
      if (one instanceof Map<?, ?> map) {
        documents.add(map);
      }
    }
    return documents;
  }

  @Test
  void whatIsOptionalIsLeftOut() throws Exception {
    assertThat(rendered("{}")).doesNotContain("PodMonitor", "NetworkPolicy");
    assertThat(
            rendered(
                """
                podMonitor: {enabled: true, labels: {release: prometheus}}
                networkPolicy:
                  enabled: true
                  from: [{namespaceSelector: {matchLabels: {name: monitoring}}}]
                serviceAccount: {create: false, name: tracer}
                """))
        .contains("kind: PodMonitor", "release: prometheus", "kind: NetworkPolicy")
        .contains("serviceAccountName: tracer")
        .doesNotContain("kind: ServiceAccount");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "capabilities: [BPF, PERFMON, ALL]",
        "capabilities: [BPF]",
        "capabilities: [CAP_BPF, CAP_PERFMON]",
        "scripts: {Disk: {tool: x}}",
        "scripts: {disk: {}}",
        "scripts: {disk: {tool: x, text: y}}",
        "privileged: true",
        "port: 80",
        "otlp: collector:4318",
        "parca: '-'",
        "heap: 1",
        "hostPID: maybe"
      })
  void valuesThatCannotBeAreRefused(String values) {
    assertThatThrownBy(() -> rendered(values)).hasMessageContaining("schema");
  }

  @Test
  void everyTemplateIsRendered() throws Exception {
    try (Stream<Path> templates = Files.list(CHART.resolve("templates"))) {
      String rendered = rendered("podMonitor: {enabled: true}\nnetworkPolicy: {enabled: true}\n");
      assertThat(templates.map(path -> path.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".yaml"))
          .allSatisfy(name -> assertThat(rendered).contains("templates/" + name));
    }
  }
}
