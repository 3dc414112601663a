package dev.ply.cli.run;

import dev.ply.cli.io.Console;
import dev.ply.kernel.RunningKernel;
import dev.ply.layout.Layout;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.text.TextBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * Writes what a script prints to the error stream where the layout of results has no place for it:
 * folded stacks stay what flame graph programs read.
 */
record OtherResults(Console console, Renderer results, Renderer others)
    implements Consumer<Result> {
  /**
   * Returns what writes results that a renderer has no place for.
   *
   * @param others the layout of these
   */
  static OtherResults of(Console console, Renderer results, Layout others) {
    return new OtherResults(console, results, others.on(new RunningKernel()));
  }

  @Override
  public void accept(Result result) {
    boolean isPrinted =
        !(result instanceof Result.Snapshot maps) || maps.occasion() == Result.Occasion.PRINTED;
    TextBuffer text = new TextBuffer();
    if (isPrinted && !results.shows(result) && others.render(text, result)) {
      try {
        console.output().flush();
        text.writeTo(console.errors());
        console.errors().flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
