package dev.ply.cli.web;

import dev.ply.text.TextBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A block of a page: an object of JSON without line breaks, which all viewers share. Immutable. */
final class Block {
  private final Kind kind;
  private final byte[] json;

  /** What can be left out for a viewer that is slow. */
  enum Kind {
    /** An event: the oldest are left out. */
    EVENT,
    /** All maps: only the newest are of use. */
    MAPS,
    /** Anything else, which is rare. */
    OTHER,
    /** The end: nothing follows. */
    END
  }

  /**
   * Creates a block.
   *
   * @param json is not changed afterwards
   */
  Block(Kind kind, byte[] json) {
    this.kind = kind;
    this.json = json;
  }

  /** Returns what can be left out. */
  Kind kind() {
    return kind;
  }

  /** Returns the object, not to be changed. */
  byte[] json() {
    return json;
  }

  /** Returns the blocks of lines; what comes before the last, which is of a kind, is rare. */
  static List<Block> of(Kind kind, TextBuffer lines) {
    byte[] all = lines.cut(0);
    List<Block> blocks = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < all.length; i++) {
      if (all[i] == '\n') {
        boolean isLast = i == all.length - 1;
        blocks.add(new Block(isLast ? kind : Kind.OTHER, Arrays.copyOfRange(all, begin, i)));
        begin = i + 1;
      }
    }
    return blocks;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Block block && kind == block.kind && Arrays.equals(json, block.json);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(json);
  }

  @Override
  public String toString() {
    return kind + " of " + json.length + " bytes";
  }
}
