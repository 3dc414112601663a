package dev.ply.cli.serve;

import dev.ply.cli.io.DiagnosticLine;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.ListenAddress;
import dev.ply.cli.profile.ProfileExport;
import dev.ply.cli.profile.ProfileStores;
import dev.ply.cli.yaml.YamlErrors;
import dev.ply.cli.yaml.YamlFile;
import dev.ply.cli.yaml.YamlMap;
import dev.ply.cli.yaml.YamlText;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.metrics.MetricOptions;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a configuration. All of its errors are found at once. */
final class ConfigReader {
  private static final int MOST_SERIES = 9_999_999;
  private static final int MOST_SCRIPTS = 1_000;
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,49}");

  /** Names of the tracer's own metrics begin so. */
  private static final Set<String> RESERVED =
      Set.of(
          "attached",
          "build",
          "config",
          "dropped",
          "export",
          "exports",
          "lost",
          "map",
          "probe",
          "program",
          "script",
          "series");

  private final YamlErrors errors;
  private final Path directory;

  private ConfigReader(Source source) {
    this.errors = new YamlErrors(source);
    Path parent = Path.of(source.name()).toAbsolutePath().getParent();
    this.directory = parent == null ? Path.of("/") : parent;
  }

  /** Thrown with all errors of a configuration. */
  static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<Diagnostic> errors;

    Refusal(List<Diagnostic> errors) {
      super(DiagnosticLine.ofErrors(errors));
      this.errors = List.copyOf(errors);
    }

    /** Returns a line for each error. */
    List<String> lines() {
      return errors.stream().map(DiagnosticLine::of).toList();
    }
  }

  /**
   * Reads a file.
   *
   * @throws UsageException if it cannot be read
   * @throws Refusal with all of its errors
   */
  static ServeConfig read(Path file) throws UsageException, Refusal {
    return of(YamlFile.read(file));
  }

  /**
   * Returns what a configuration says.
   *
   * @param source whose name is that of its file, which paths are relative to
   */
  static ServeConfig of(Source source) throws Refusal {
    ConfigReader reader = new ConfigReader(source);
    YamlMap root = YamlFile.parse(source, reader.errors);
    reader.requireNone();
    ServeConfig config = reader.config(root);
    reader.requireNone();
    return config;
  }

  private void requireNone() throws Refusal {
    List<Diagnostic> all = errors.all();
    if (!all.isEmpty()) {
      throw new Refusal(all);
    }
  }

  private ServeConfig config(YamlMap root) {
    Optional<ListenAddress> prometheus =
        root.text("prometheus")
            .flatMap(text -> parsed(text, () -> ListenAddress.parse("prometheus", text.text())));
    Optional<Path> webConfig = root.text("web_config_file").flatMap(this::file);
    Optional<String> otlp = url(root, ExportUrl.OTLP);
    ProfileConfig profiles = profiles(root);
    boolean reloads = root.flag("reload_by_http");
    boolean cost = root.flag("cost");
    MetricOptions metrics = metrics(root, MetricOptions.DEFAULT);
    List<ScriptConfig> scripts = scripts(root, metrics);
    root.requireRead();
    if (errors.all().isEmpty()) {
      requireExport(root, prometheus, otlp.isPresent() || profiles.isUsed(), webConfig, reloads);
    }
    return new ServeConfig(prometheus, webConfig, otlp, profiles, reloads, cost, scripts);
  }

  private ProfileConfig profiles(YamlMap root) {
    ProfileStores stores =
        new ProfileStores(
            url(root, ExportUrl.PYROSCOPE),
            url(root, ExportUrl.PARCA),
            url(root, ExportUrl.OTLP_PROFILES));
    Optional<Duration> interval =
        root.text("profile_interval")
            .flatMap(
                text ->
                    parsed(
                        text,
                        () ->
                            ProfileExport.interval("profile_interval", Optional.of(text.text()))));
    if (interval.isPresent() && !stores.isUsed()) {
      errors.add(
          root.keySpan("profile_interval"),
          "profile_interval is for pyroscope, parca and otlp_profiles, which are not given");
    }
    return new ProfileConfig(stores, interval.orElse(ProfileConfig.NONE.interval()));
  }

  private void requireExport(
      YamlMap root,
      Optional<ListenAddress> prometheus,
      boolean sends,
      Optional<Path> webConfig,
      boolean reloads) {
    if (prometheus.isEmpty() && !sends) {
      errors.add(
          root.span(),
          "nothing is exported",
          "prometheus: 9435 serves metrics",
          "otlp: http://localhost:4318 sends them");
    }
    if (prometheus.isEmpty() && webConfig.isPresent()) {
      errors.add(
          root.keySpan("web_config_file"), "web_config_file is for prometheus, which is not given");
    }
    if (prometheus.isEmpty() && reloads) {
      errors.add(
          root.keySpan("reload_by_http"), "reload_by_http is for prometheus, which is not given");
    }
  }

  private MetricOptions metrics(YamlMap map, MetricOptions usual) {
    MetricOptions options = usual;
    OptionalInt most = map.number("max_series", MOST_SERIES);
    if (most.isPresent()) {
      options = options.withMaxSeries(most.getAsInt());
    }
    Optional<Duration> ttl =
        map.text("series_ttl")
            .flatMap(text -> parsed(text, () -> Durations.positive("series_ttl", text.text())));
    if (ttl.isPresent()) {
      options = options.withSeriesTtl(ttl.get());
    }
    return map.flag("thread_labels", usual.threadLabels())
        ? options.withThreadLabels()
        : new MetricOptions(
            options.script(), false, options.maxSeries(), options.seriesTtl(), options.hidden());
  }

  private List<ScriptConfig> scripts(YamlMap root, MetricOptions usual) {
    List<ScriptConfig> scripts = new ArrayList<>();
    Optional<YamlMap> all = root.map("scripts");
    if (all.isEmpty()) {
      if (!root.has("scripts")) {
        errors.add(
            root.keySpan("scripts"),
            "no scripts",
            "scripts: { disk: { file: disk.ply } } runs one");
      }
      return scripts;
    }
    List<String> names = all.get().keys();
    if (names.isEmpty() || names.size() > MOST_SCRIPTS) {
      errors.add(
          root.keySpan("scripts"),
          names.isEmpty() ? "no scripts" : "more than " + MOST_SCRIPTS + " scripts");
      return scripts;
    }
    for (String name : names) {
      requireName(name, all.get().keySpan(name));
      Optional<YamlMap> one = all.get().map(name);
      if (one.isPresent()) {
        script(name, one.get(), all.get().keySpan(name), usual).ifPresent(scripts::add);
      } else if (!all.get().has(name)) {
        errors.add(
            all.get().keySpan(name),
            "script \"" + name + "\" has no program",
            "it has one of " + ScriptKind.keys());
      }
    }
    return scripts;
  }

  private void requireName(String name, SourceSpan span) {
    if (!NAME.matcher(name).matches()) {
      errors.add(
          span,
          "\"" + name + "\" is not a script name",
          "names are lower-case letters, digits and _, such as disk_reads: metrics are called"
              + " ply_NAME_MAP");
    } else if (RESERVED.contains(name)) {
      errors.add(
          span, "\"" + name + "\" is reserved: ply_" + name + "_… are metrics of ply itself");
    }
  }

  private Optional<ScriptConfig> script(
      String name, YamlMap map, SourceSpan key, MetricOptions usual) {
    Map<ScriptKind, YamlText> given = new HashMap<>();
    for (ScriptKind kind : ScriptKind.values()) {
      map.text(kind.key()).ifPresent(text -> given.put(kind, text));
    }
    List<String> options = map.texts("options").stream().map(YamlText::text).toList();
    MetricOptions metrics = metrics(map, usual).of(name);
    map.requireRead();
    if (given.size() != 1) {
      errors.add(
          key,
          "script \"" + name + "\" has " + (given.isEmpty() ? "no program" : "several programs"),
          "it has one of " + ScriptKind.keys());
      return Optional.empty();
    }
    Map.Entry<ScriptKind, YamlText> one = given.entrySet().iterator().next();
    if (one.getKey() == ScriptKind.TEXT && !one.getValue().text().contains("{")) {
      errors.add(
          one.getValue().span(),
          "text takes a script, such as kprobe:vfs_read { @ = count(); }",
          "file takes a path");
      return Optional.empty();
    }
    Optional<String> value =
        one.getKey().isPath()
            ? file(one.getValue()).map(Path::toString)
            : Optional.of(one.getValue().text());
    return value.map(text -> new ScriptConfig(name, one.getKey(), text, options, metrics));
  }

  /** Returns a file, which is relative to that of the configuration. */
  private Optional<Path> file(YamlText text) {
    try {
      Path file = directory.resolve(text.text()).normalize();
      if (Files.isRegularFile(file)) {
        return Optional.of(file);
      }
      errors.add(
          text.span(),
          Files.exists(file) ? file + " is no file" : "no such file: " + file,
          "paths are relative to the configuration's directory");
    } catch (InvalidPathException e) {
      errors.add(text.span(), "this cannot be a file's name");
    }
    return Optional.empty();
  }

  private Optional<String> url(YamlMap root, ExportUrl url) {
    Optional<YamlText> text = root.text(url.key());
    if (text.isPresent() && !url.takes(text.get().text())) {
      errors.add(
          text.get().span(),
          url.key() + " takes a URL such as " + url.example(),
          url.ofEnvironment().stream().map(name -> "\"-\" is " + name).toArray(String[]::new));
    }
    return text.map(YamlText::text);
  }

  private interface Parsing<T> {
    T parse() throws UsageException;
  }

  private <T> Optional<T> parsed(YamlText text, Parsing<T> parsing) {
    try {
      return Optional.of(parsing.parse());
    } catch (UsageException e) {
      errors.add(text.span(), String.valueOf(e.getMessage()).replaceFirst("^--", ""));
      return Optional.empty();
    }
  }
}
