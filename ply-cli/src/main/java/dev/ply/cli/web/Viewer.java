package dev.ply.cli.web;

import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A browser that shows the page, and the queue of blocks that it has not read yet, limited in
 * bytes. If it reads too slowly, queued events are dropped and counted; it always gets the newest
 * maps. Thread-safe.
 */
final class Viewer {
  /** The limit of the queue, in bytes. */
  static final int MOST_WAITING = 8 << 20;

  /** Proxies and laptops that wake up see a connection that still lives. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private static final int PIECE = 1 << 14;
  private static final byte[] BEGIN = "data: ".getBytes(StandardCharsets.UTF_8);
  private static final byte[] END = "\n\n".getBytes(StandardCharsets.UTF_8);
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final OutputStream stream;
  private final List<String> late;
  private final Deque<Block> waiting = new ArrayDeque<>();
  private Optional<Block> maps = Optional.empty();
  private long bytes;
  private long missed;
  private List<String> notes = List.of();
  private List<String> told = List.of();
  private Optional<Block> end = Optional.empty();
  private boolean isComplete;

  /** When the write under way began, in nanoseconds; 0 without one. */
  private volatile long writing;

  /**
   * Creates a viewer that a stream leads to.
   *
   * @param late what it lacks because it comes late, in sentences
   */
  Viewer(OutputStream stream, List<String> late) {
    this.stream = stream;
    this.late = List.copyOf(late);
  }

  /** Adds blocks. */
  synchronized void add(Collection<Block> blocks) {
    for (Block block : blocks) {
      if (block.kind() == Block.Kind.MAPS) {
        maps = Optional.of(block);
        continue;
      } else if (block.kind() == Block.Kind.END) {
        end = Optional.of(block);
        continue;
      }
      if (bytes + block.json().length > MOST_WAITING) {
        dropEvents();
      }
      if (bytes + block.json().length > MOST_WAITING) {
        missed++;
      } else {
        waiting.add(block);
        bytes += block.json().length;
      }
    }
    notifyAll();
  }

  private void dropEvents() {
    int before = waiting.size();
    waiting.removeIf(block -> block.kind() == Block.Kind.EVENT);
    missed += before - waiting.size();
    bytes = waiting.stream().mapToLong(block -> block.json().length).sum();
  }

  /** Sets what every page lacks, in sentences. */
  synchronized void note(List<String> sentences) {
    if (!notes.equals(sentences)) {
      notes = List.copyOf(sentences);
      notifyAll();
    }
  }

  /** Returns whether the current write has been blocked for at least this long; does not wait. */
  boolean isBlockedFor(Duration time, long nanoTime) {
    long began = writing;
    return began != 0 && nanoTime - began >= time.toNanos();
  }

  /** Sends blocks as they come, until the trace ends. */
  void serve() throws IOException, InterruptedException {
    Optional<List<byte[]>> next = next();
    while (next.isPresent()) {
      if (next.get().isEmpty()) {
        write(COMMENT);
      }
      for (byte[] json : next.get()) {
        write(BEGIN);
        write(json);
        write(END);
      }
      flush();
      next = next();
    }
  }

  /** Waits for objects; none after a while without any, empty if the end has been written. */
  private synchronized Optional<List<byte[]>> next() throws InterruptedException {
    if (isComplete) {
      return Optional.empty();
    }
    long deadline = System.nanoTime() + HEARTBEAT.toNanos();
    while (isUpToDate()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return Optional.of(List.of());
      }
      wait(left);
    }
    List<byte[]> objects = new ArrayList<>();
    List<String> lacks = lacks();
    if (!lacks.equals(told)) {
      told = lacks;
      objects.add(live(lacks));
    }
    waiting.forEach(block -> objects.add(block.json()));
    maps.ifPresent(block -> objects.add(block.json()));
    end.ifPresent(block -> objects.add(block.json()));
    waiting.clear();
    maps = Optional.empty();
    isComplete = end.isPresent();
    bytes = 0;
    return Optional.of(objects);
  }

  private boolean isUpToDate() {
    return waiting.isEmpty() && maps.isEmpty() && end.isEmpty() && lacks().equals(told);
  }

  private List<String> lacks() {
    List<String> all = new ArrayList<>(notes);
    all.addAll(late);
    if (missed > 0) {
      all.add(missed + " events did not reach this page, which reads too slowly");
    }
    return all;
  }

  private static byte[] live(List<String> missing) {
    TextBuffer json = new TextBuffer();
    json.append("{\"type\":\"live\",\"missing\":[");
    String comma = "";
    for (String sentence : missing) {
      JsonString.append(json.append(comma), sentence);
      comma = ",";
    }
    return json.append("]}").cut(0);
  }

  /** Writes in pieces: a slow viewer is one that takes long for one of them. */
  private void write(byte[] message) throws IOException {
    for (int start = 0; start < message.length; start += PIECE) {
      begin();
      try {
        stream.write(message, start, Math.min(PIECE, message.length - start));
      } finally {
        writing = 0;
      }
    }
  }

  private void flush() throws IOException {
    begin();
    try {
      stream.flush();
    } finally {
      writing = 0;
    }
  }

  private void begin() {
    // An odd number is not zero.
    writing = System.nanoTime() | 1;
  }
}
