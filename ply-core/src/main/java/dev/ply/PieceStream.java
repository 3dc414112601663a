package dev.ply;

import dev.ply.type.TextBytes;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/** Decodes each piece that is written. */
final class PieceStream extends OutputStream {
  private final Consumer<String> pieces;

  PieceStream(Consumer<String> pieces) {
    this.pieces = pieces;
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int start, int length) {
    pieces.accept(TextBytes.decode(Arrays.copyOfRange(bytes, start, start + length)));
  }
}
