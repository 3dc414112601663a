package dev.ply.layout;

import com.google.common.collect.ImmutableList;
import dev.ply.export.FirefoxRenderer;
import dev.ply.export.JfrRenderer;
import dev.ply.export.OpenMetricsRenderer;
import dev.ply.export.PageRenderer;
import dev.ply.export.PerfettoRenderer;
import dev.ply.export.PprofRenderer;
import dev.ply.export.SpeedscopeRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.TableSchema;
import dev.ply.target.Target;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The formats that every command writes its results in, by the names of its option. */
public enum OutputFormat {
  /** Lines for people, each command in its own layout. */
  TEXT("text", Content.ALL),
  /** Lines of JSON, an object each. */
  JSON("json", Content.ALL, ".json", ".jsonl", ".ndjson"),
  /** Comma-separated values, with a line of headings before rows with other columns. */
  CSV("csv", Content.ALL, ".csv"),
  /** Folded stacks, as flame graph programs read them: those in keys of maps. */
  FOLDED("folded", Content.STACKS, ".folded"),
  /** The JSON of speedscope: the final maps with stacks in their keys. */
  SPEEDSCOPE("speedscope", Content.STACKS, ".speedscope.json"),
  /** The profiles of pprof, compressed: the final maps with stacks in their keys. */
  PPROF("pprof", Content.STACKS, ".pb.gz", ".pprof"),
  /** The JSON of the Firefox Profiler: the final maps with stacks in their keys. */
  FIREFOX("firefox", Content.STACKS, ".json.gz", ".firefox.json"),
  /** The time line of Perfetto: events, and maps as counters. */
  PERFETTO("perfetto", Content.TIME_LINE, ".perfetto-trace", ".pftrace"),
  /** OpenMetrics, which Prometheus reads: the final maps. */
  OPENMETRICS("openmetrics", Content.MAPS, ".om"),
  /** The older text format of Prometheus, which node_exporter reads: the final maps. */
  PROMETHEUS("prometheus", Content.MAPS, ".prom"),
  /** A recording of JDK Flight Recorder: events, and the rows of maps. */
  JFR("jfr", Content.TIME_LINE, ".jfr"),
  /** A page for a browser: events, maps, distributions, flame graphs. */
  HTML("html", Content.TIME_LINE, ".html", ".htm");

  /** What a format has a place for. */
  private enum Content {
    ALL,
    STACKS,
    TIME_LINE,
    MAPS
  }

  /** A layout that has no place for some results. */
  private record Partial(Function<Target, Renderer> renderer, Layout text) implements Layout {
    @Override
    public Renderer on(Target target) {
      return renderer.apply(target);
    }

    @Override
    public Optional<Layout> others() {
      return Optional.of(text);
    }
  }

  private static final String COMPRESSED = ".gz";

  private final String word;
  private final Content content;
  private final ImmutableList<String> endings;

  OutputFormat(String word, Content content, String... endings) {
    this.word = word;
    this.content = content;
    this.endings = ImmutableList.copyOf(endings);
  }

  /** {@return the name of this format in options} */
  public String word() {
    return word;
  }

  /** {@return how the names of its files end, the usual one first; none for text} */
  public List<String> endings() {
    return endings;
  }

  /**
   * {@return the layout of this format}
   *
   * @param text the layout of the command's own text
   * @param json the layout of the command's own JSON
   */
  public Layout layout(Layout text, Layout json) {
    return switch (this) {
      case TEXT -> text;
      case JSON -> json;
      case CSV -> CsvRenderer::new;
      case FOLDED -> new Partial(FoldedRenderer::new, text);
      case SPEEDSCOPE -> new Partial(SpeedscopeRenderer::new, text);
      case PPROF -> new Partial(PprofRenderer::new, text);
      case FIREFOX -> new Partial(FirefoxRenderer::new, text);
      case PERFETTO -> new Partial(PerfettoRenderer::new, text);
      case OPENMETRICS -> new Partial(OpenMetricsRenderer::new, text);
      case PROMETHEUS -> new Partial(OpenMetricsRenderer::prometheus, text);
      case JFR -> new Partial(JfrRenderer::new, text);
      case HTML -> new Partial(PageRenderer::new, text);
    };
  }

  /** {@return the layout of this format, of text and JSON ply's} */
  public Layout layout() {
    return layout(Layout.PLY, Layout.PLY_JSON);
  }

  /**
   * {@return whether results are one document for another program, which has the final maps also
   * where a script does not have them printed}
   */
  public boolean isDocument() {
    return content != Content.ALL && this != FOLDED;
  }

  /**
   * {@return how maps are read after each period, for a format that shows them over time: what was
   * added, or totals; empty for others}
   */
  public Optional<Result.Occasion> periods() {
    return switch (this) {
      case HTML -> Optional.of(Result.Occasion.ADDED);
      case PERFETTO -> Optional.of(Result.Occasion.TOTALS);
      default -> Optional.empty();
    };
  }

  /** {@return whether it shows maps with stacks in their keys, and nothing else} */
  public boolean showsStacksAlone() {
    return content == Content.STACKS;
  }

  /** {@return whether it is no text, so that no terminal should get it} */
  public boolean isBinary() {
    return this == PPROF || this == PERFETTO || this == JFR;
  }

  /**
   * {@return why this format would show nothing of a program, and what it would show, as a clause;
   * empty if it shows something}
   *
   * @param maps of the program
   * @param events those that it sends
   */
  public Optional<String> unfit(List<TableSchema> maps, List<EventShape> events) {
    return switch (content) {
      case ALL -> Optional.empty();
      case STACKS ->
          maps.stream().anyMatch(TableSchema::isProfile)
              ? Optional.empty()
              : Optional.of(
                  "shows maps of numbers with a stack in their key, and this program has none; such"
                      + " a map is @[kstack] = count()");
      case TIME_LINE ->
          !maps.isEmpty() || !events.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  "shows events and maps, and this program has neither; an event is print(time,"
                      + " pid, tid, comm)");
      case MAPS ->
          maps.isEmpty()
              ? Optional.of(
                  "shows the maps of a program, and this one has none; such a map is @[comm] ="
                      + " count()")
              : Optional.empty();
    };
  }

  /**
   * {@return the format of a file, empty if the end of its name tells none} {@code .gz} after
   * another ending means the same, compressed.
   *
   * @param file its name
   */
  public static Optional<OutputFormat> ofFile(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    boolean isCompressed = name.endsWith(COMPRESSED);
    String plain = isCompressed ? name.substring(0, name.length() - COMPRESSED.length()) : name;
    Optional<OutputFormat> found = Optional.empty();
    int length = 0;
    for (OutputFormat format : values()) {
      for (String ending : format.endings) {
        int matched =
            name.endsWith(ending)
                ? ending.length()
                : isCompressed && plain.endsWith(ending)
                    ? ending.length() + COMPRESSED.length()
                    : 0;
        // Of equal ones, .json.gz and .json with .gz, the one that is told as a whole.
        boolean isBetter = matched > length || (matched == length && name.endsWith(ending));
        if (matched > 0 && isBetter) {
          found = Optional.of(format);
          length = matched;
        }
      }
    }
    return found;
  }

  /**
   * {@return whether a file of this format can have this name: its ending is one of this format, of
   * none, {@code .json} of any JSON, or that of other metrics}
   *
   * @param file its name
   */
  public boolean fits(String file) {
    Optional<OutputFormat> told = ofFile(file);
    boolean isJson = this == SPEEDSCOPE || this == FIREFOX;
    return told.isEmpty()
        || told.get() == this
        || (content == Content.MAPS && told.get().content == Content.MAPS)
        || (isJson && told.get() == JSON)
        || (told.get() == FIREFOX && (isJson || this == JSON) && file.endsWith(".json.gz"));
  }

  /**
   * {@return whether a file of this name is compressed by who writes it; profiles of pprof already
   * are}
   *
   * @param file its name
   */
  public boolean isCompressed(String file) {
    return this != PPROF && file.toLowerCase(Locale.ROOT).endsWith(COMPRESSED);
  }

  /**
   * {@return the format of a name, empty if missing}
   *
   * @param word of any kind
   */
  public static Optional<OutputFormat> named(String word) {
    return Stream.of(values()).filter(format -> format.word.equals(word)).findFirst();
  }

  /** {@return the names of all formats, for help and messages: {@code text, json or csv}} */
  public static String words() {
    String all = Stream.of(values()).map(OutputFormat::word).collect(Collectors.joining(", "));
    int last = all.lastIndexOf(", ");
    return all.substring(0, last) + " or " + all.substring(last + 2);
  }
}
