package dev.ply.kernel.process;

import dev.ply.kernel.sys.WindowSize;
import java.util.OptionalInt;

/** The terminal that standard output is. */
public final class OutputTerminal {
  private OutputTerminal() {}

  /** {@return the number of characters of its lines; empty without a terminal} */
  public static OptionalInt columns() {
    return WindowSize.outputColumns();
  }
}
