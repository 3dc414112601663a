package dev.ply.bpf.table;

import dev.ply.bpf.unwind.UnwindEnd;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols.Frame;
import java.util.List;
import java.util.Optional;

/** The last frame of a stack that ends before its outermost function: it says why. */
final class CutFrame {
  private CutFrame() {}

  /**
   * Returns the frame.
   *
   * @param frames what was unwound, the last one where it ended
   */
  static Frame after(List<Frame> frames, UnwindEnd end) {
    String file =
        frames.isEmpty()
            ? ""
            : frames.get(frames.size() - 1).binary().map(name -> " for " + name).orElse("");
    String why =
        switch (end) {
          case COMPLETE -> "unwound to here";
          case FULL -> "unwound to here: the stack has more frames than can be recorded";
          case NO_MAPPING -> "unwound to here: the caller is in no known code";
          case NO_TABLE -> "unwound to here: no unwind table" + file;
          case UNSUPPORTED -> "unwound to here: an unwind rule that is not supported" + file;
          case UNREADABLE -> "unwound to here: the stack cannot be read";
          case NOT_READ_YET -> "by frame pointers: unwind tables were not read yet";
        };
    return new Frame(end.marker(), Optional.of(new Symbol("[" + why + "]", 0)), Optional.empty());
  }
}
