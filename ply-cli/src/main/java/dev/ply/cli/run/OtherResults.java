package dev.ply.cli.run;

import dev.ply.cli.io.Console;
import dev.ply.kernel.RunningKernel;
import dev.ply.layout.Layout;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * Writes what a script prints to the error stream where the layout of results has no place for it:
 * folded stacks stay what flame graph programs read.
 */
record OtherResults(Console console, Renderer results, Renderer others)
    implements Consumer<Result> {
  static OtherResults of(Console console, Layout layout) {
    Target target = new RunningKernel();
    return new OtherResults(console, layout.on(target), layout.others().orElseThrow().on(target));
  }

  @Override
  public void accept(Result result) {
    boolean isPrinted =
        !(result instanceof Result.Snapshot maps) || maps.occasion() == Result.Occasion.PRINTED;
    TextBuffer text = new TextBuffer();
    if (isPrinted
        && !results.render(new TextBuffer(OutputStream.nullOutputStream()), result)
        && others.render(text, result)) {
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
