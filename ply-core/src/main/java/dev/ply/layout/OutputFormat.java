package dev.ply.layout;

import dev.ply.result.Renderer;
import dev.ply.target.Target;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The formats that every command writes its results in, by the names of its option. */
public enum OutputFormat {
  /** Lines for people, each command in its own layout. */
  TEXT("text") {
    @Override
    public Layout layout(Layout text, Layout json) {
      return text;
    }
  },
  /** Lines of JSON, an object each. */
  JSON("json") {
    @Override
    public Layout layout(Layout text, Layout json) {
      return json;
    }
  },
  /** Comma-separated values, with a line of headings before rows with other columns. */
  CSV("csv") {
    @Override
    public Layout layout(Layout text, Layout json) {
      return CsvRenderer::new;
    }
  },
  /** Folded stacks, as flame graph programs read them: those in keys of maps. */
  FOLDED("folded") {
    @Override
    public Layout layout(Layout text, Layout json) {
      return new Folded(text);
    }
  };

  private record Folded(Layout text) implements Layout {
    @Override
    public Renderer on(Target target) {
      return new FoldedRenderer(target);
    }

    @Override
    public Optional<Layout> others() {
      return Optional.of(text);
    }
  }

  private final String word;

  OutputFormat(String word) {
    this.word = word;
  }

  /** {@return the name of this format in options} */
  public String word() {
    return word;
  }

  /**
   * {@return the layout of this format}
   *
   * @param text the layout of the command's own text
   * @param json the layout of the command's own JSON
   */
  public abstract Layout layout(Layout text, Layout json);

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
