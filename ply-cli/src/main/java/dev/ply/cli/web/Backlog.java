package dev.ply.cli.web;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What a viewer gets that comes late: the newest maps, the newest events that a budget of bytes has
 * room for, and everything else.
 */
final class Backlog {
  /** The budget, in bytes: less than a viewer has. */
  static final int MOST_BYTES = 4 << 20;

  private static final int MOST_EVENTS = 2_000;
  private static final int MOST_OTHERS = 2_000;

  private final List<Block> others = new ArrayList<>();
  private final Deque<Block> events = new ArrayDeque<>();
  private Optional<Block> maps = Optional.empty();
  private Optional<Block> end = Optional.empty();
  private long bytes;
  private long left;

  /** Adds a block. */
  void add(Block block) {
    switch (block.kind()) {
      case MAPS -> maps = Optional.of(block);
      case EVENT -> {
        events.add(block);
        bytes += block.json().length;
        while (bytes > MOST_BYTES || events.size() > MOST_EVENTS) {
          bytes -= events.remove().json().length;
          left++;
        }
      }
      case OTHER -> {
        // Of many alike, the first tell the most.
        if (others.size() < MOST_OTHERS) {
          others.add(block);
        } else {
          left++;
        }
      }
      case END -> end = Optional.of(block);
    }
  }

  /** Returns all that is kept. */
  List<Block> blocks() {
    List<Block> all = new ArrayList<>(others);
    all.addAll(events);
    maps.ifPresent(all::add);
    end.ifPresent(all::add);
    return all;
  }

  /** Returns how many blocks, most of them older events, are no longer kept. */
  long left() {
    return left;
  }
}
