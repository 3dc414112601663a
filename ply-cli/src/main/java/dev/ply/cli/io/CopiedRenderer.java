package dev.ply.cli.io;

import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.Table;
import dev.ply.table.ValueFormat;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Writes each result in the layout of the command's output and, in those of further files, to them.
 * One for a run: the renderers of some formats know what they have written.
 */
public final class CopiedRenderer implements Renderer, AutoCloseable {
  private final Renderer own;
  private final OutputFormat format;
  private final List<Copy> copies;

  /** A further file. */
  private record Copy(Renderer renderer, OutputFormat format, String name, Output output) {}

  private CopiedRenderer(Renderer own, OutputFormat format, List<Copy> copies) {
    this.own = own;
    this.format = format;
    this.copies = copies;
  }

  /**
   * Opens the further files.
   *
   * @param layouts of all formats
   * @throws UsageException if one cannot be written
   */
  public static CopiedRenderer open(
      Outputs outputs, Function<OutputFormat, Layout> layouts, Target target)
      throws UsageException {
    List<Copy> copies = new ArrayList<>();
    CopiedRenderer all =
        new CopiedRenderer(
            layouts.apply(outputs.own().format()).on(target), outputs.own().format(), copies);
    try {
      for (OutputFile file : outputs.others()) {
        OutputFormat format = file.format();
        String name = file.path().orElseThrow().toString();
        Output output = Output.ofFile(file.path().orElseThrow(), file.isCompressed());
        copies.add(new Copy(layouts.apply(format).on(target), format, name, output));
      }
    } catch (UsageException e) {
      all.close();
      throw e;
    }
    return all;
  }

  @Override
  public ValueFormat conversions() {
    return own.conversions();
  }

  @Override
  public Table<Datum> largest(Table<Datum> table, int count) {
    return own.largest(table, count);
  }

  @Override
  public EventRenderer prepare(EventShape shape, EventValues values) {
    EventRenderer first = own.prepare(shape, values);
    if (copies.isEmpty()) {
      return first;
    }
    List<EventRenderer> others =
        copies.stream().map(copy -> copy.renderer().prepare(shape, values)).toList();
    TextBuffer line = new TextBuffer();
    return (out, memory, start) -> {
      first.render(out, memory, start);
      for (int i = 0; i < copies.size(); i++) {
        line.clear();
        others.get(i).render(line, memory, start);
        copies.get(i).output().print(line);
      }
    };
  }

  @Override
  public boolean shows(Result result) {
    return own.shows(result) || copies.stream().anyMatch(copy -> copy.renderer().shows(result));
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    return render(out, result, one -> true);
  }

  /** Writes a result to those files whose formats are so. */
  boolean render(TextBuffer out, Result result, Predicate<OutputFormat> isSo) {
    boolean isShown = isSo.test(format) && own.render(out, result);
    for (Copy copy : copies) {
      if (isSo.test(copy.format())) {
        TextBuffer text = new TextBuffer(copy.output());
        isShown |= copy.renderer().render(text, result);
        copy.output().print(text);
      }
    }
    return isShown;
  }

  /** Returns whether a file has failed. */
  public boolean hasFailed() {
    return copies.stream().anyMatch(copy -> copy.output().hasFailed());
  }

  /** Returns the first failure of a file, as a message. */
  public Optional<String> fault() {
    return copies.stream()
        .flatMap(copy -> copy.output().fault().map(why -> copy.name() + ": " + why).stream())
        .findFirst();
  }

  /** Writes what is buffered, and closes the files. */
  @Override
  public void close() {
    copies.forEach(copy -> copy.output().close());
  }
}
