package dev.ply.render;

import dev.ply.result.Message;
import dev.ply.table.ValueFormat;
import dev.ply.text.TextBuffer;

/**
 * A layout of lines of text for people, in which messages about the trace itself are not results.
 */
sealed interface LineFormat extends TextRenderer permits PlyFormat, BpftraceFormat {
  @Override
  default ValueFormat conversions() {
    return values();
  }

  @Override
  default Frame frame(int count) {
    return new Frame("", ", ", "\n");
  }

  @Override
  default void complete(TextBuffer out, int start, Message message) {
    if (message.isLine()) {
      out.append('\n');
    }
  }
}
