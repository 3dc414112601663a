package dev.ply.kernel.mapping;

import dev.ply.kernel.mapping.MappingEvent.Executed;
import dev.ply.kernel.mapping.MappingEvent.Exited;
import dev.ply.kernel.mapping.MappingEvent.Forked;
import dev.ply.kernel.mapping.MappingEvent.Mapped;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The mappings of all processes over time, within a memory limit: the least needed are dropped
 * first. Not thread-safe.
 */
final class MappingHistory {
  /** The maximum number of images per PID; older ones are dropped. */
  private static final int MOST_IMAGES = 8;

  /**
   * The maximum number of processes that have exited without a recorded stack: one that is on its
   * way arrives before so many have followed.
   */
  static final int MOST_ENDED = 2048;

  /** The heap size of a process and an image, without mappings. */
  private static final int PROCESS_BYTES = 300;

  private static final int IMAGE_BYTES = 50;

  private final long mostBytes;

  /** Processes that have exited without a recorded stack. */
  private final Map<Integer, Past> ended = new LinkedHashMap<>();

  /** Processes without a recorded stack so far. */
  private final Map<Integer, Past> living = new LinkedHashMap<>();

  /** Processes with recorded stacks. */
  private final Map<Integer, Past> traced = new LinkedHashMap<>();

  private long bytes;

  /** The images of a PID, the latest first. */
  private static final class Past {
    private final Deque<ProcessImage> images = new ArrayDeque<>();
    private OptionalInt parent = OptionalInt.empty();

    long heapBytes() {
      long sum = PROCESS_BYTES;
      for (ProcessImage image : images) {
        sum += IMAGE_BYTES + image.heapBytes();
      }
      return sum;
    }
  }

  MappingHistory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void apply(MappingEvent event) {
    if (event instanceof Mapped mapped) {
      Past past = pastOf(mapped.process());
      change(past, () -> past.images.push(past.images.pop().with(mapped.mapping())));
    } else if (event instanceof Executed) {
      begin(event.process(), ProcessImage.empty());
    } else if (event instanceof Forked forked) {
      begin(forked.process(), pastOf(forked.parent()).images.getFirst());
      pastOf(forked.process()).parent = OptionalInt.of(forked.parent());
    } else if (event instanceof Exited) {
      move(event.process(), living, ended);
    }
    clearLeastNeeded();
  }

  /** Keeps the mappings of a process with recorded stacks. */
  void keep(int process) {
    move(process, living, traced);
    move(process, ended, traced);
  }

  /** Returns whether a process's mappings are kept. */
  boolean isKept(int process) {
    return traced.containsKey(process);
  }

  /** Returns the processes whose mappings are kept. */
  Set<Integer> kept() {
    return Set.copyOf(traced.keySet());
  }

  /** Forgets a process whose mappings are kept. */
  void forget(int process) {
    Past past = traced.remove(process);
    if (past != null) {
      bytes -= past.heapBytes();
    }
  }

  /** Returns the images of a PID, the latest first. */
  List<ProcessImage> images(int process) {
    return find(process).map(past -> List.copyOf(past.images)).orElse(List.of());
  }

  /** Returns the PID of a process's parent if it was forked while mappings were recorded. */
  OptionalInt parent(int process) {
    return find(process).map(past -> past.parent).orElse(OptionalInt.empty());
  }

  private void begin(int process, ProcessImage image) {
    // The PID of an exited process can be reused.
    move(process, ended, living);
    Past past = pastOf(process);
    change(
        past,
        () -> {
          past.images.push(image);
          if (past.images.size() > MOST_IMAGES) {
            past.images.removeLast();
          }
        });
  }

  private Optional<Past> find(int process) {
    return Optional.ofNullable(traced.get(process))
        .or(() -> Optional.ofNullable(living.get(process)))
        .or(() -> Optional.ofNullable(ended.get(process)));
  }

  private Past pastOf(int process) {
    Optional<Past> found = find(process);
    if (found.isPresent()) {
      return found.get();
    }
    Past past = new Past();
    past.images.push(ProcessImage.unrecorded(process));
    bytes += past.heapBytes();
    living.put(process, past);
    return past;
  }

  private void change(Past past, Runnable change) {
    bytes -= past.heapBytes();
    change.run();
    bytes += past.heapBytes();
  }

  private static void move(int process, Map<Integer, Past> from, Map<Integer, Past> to) {
    Past past = from.remove(process);
    if (past != null) {
      to.put(process, past);
    }
  }

  private void clearLeastNeeded() {
    if (ended.size() > MOST_ENDED) {
      Iterator<Past> first = ended.values().iterator();
      bytes -= first.next().heapBytes();
      first.remove();
    }
    for (Map<Integer, Past> processes : List.of(ended, living, traced)) {
      Iterator<Past> oldest = processes.values().iterator();
      while (bytes > mostBytes && oldest.hasNext()) {
        bytes -= oldest.next().heapBytes();
        oldest.remove();
      }
    }
  }
}
