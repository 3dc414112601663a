package dev.ply.cli.io;

import dev.ply.layout.OutputFormat;
import dev.ply.result.Result;
import dev.ply.text.TextBuffer;
import java.util.function.Predicate;

/** Writes results of a trace to an output, in one layout. */
public final class ResultOutput {
  private final Output output;
  private final CopiedRenderer renderer;

  /** Creates an output in the layout of a renderer. */
  public ResultOutput(Output output, CopiedRenderer renderer) {
    this.output = output;
    this.renderer = renderer;
  }

  /** Writes a result, row by row, and returns whether the layout has a place for it. */
  public boolean print(Result result) {
    TextBuffer text = new TextBuffer(output);
    boolean isShown = renderer.render(text, result);
    output.print(text);
    return isShown;
  }

  /** Writes a result to outputs that are documents, and returns whether one has a place for it. */
  public boolean printDocuments(Result result) {
    return print(result, OutputFormat::isDocument);
  }

  /** Writes the maps of a period to outputs that show them over time. */
  public void printPeriod(Result.Snapshot maps) {
    boolean unused =
        print(maps, format -> format.periods().filter(maps.occasion()::equals).isPresent());
  }

  private boolean print(Result result, Predicate<OutputFormat> isSo) {
    TextBuffer text = new TextBuffer(output);
    boolean isShown = renderer.render(text, result, isSo);
    output.print(text);
    return isShown;
  }

  /** Writes a result to {@code out}, and returns whether the layout has a place for it. */
  public boolean print(TextBuffer out, Result result) {
    return renderer.render(out, result);
  }
}
