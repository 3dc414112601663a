package dev.ply.kernel.user;

import dev.ply.target.UserSymbols.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The frames of processes by their addresses: stack traces differ in few frames, which are looked
 * up once, and are one object in all of them. For one thread.
 */
final class KnownFrames {
  /** The number of processes, of which each can have many frames. */
  private static final int MOST_PROCESSES = 256;

  /** The number of frames of a process; more are a sign that few come again. */
  private static final int MOST_FRAMES = 1 << 16;

  /** By process, the one used longest ago first. */
  private final Map<Integer, OfProcess> processes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, OfProcess> eldest) {
          return size() > MOST_PROCESSES;
        }
      };

  /**
   * The frames of a process as long as its memory is the same.
   *
   * @param memory what {@link ProcessMemory#version} says of the candidates, in order
   */
  private record OfProcess(List<Object> memory, Map<Long, Frame> first, Map<Long, Frame> callers) {
    Map<Long, Frame> frames(boolean isCaller) {
      return isCaller ? callers : first;
    }

    boolean isOf(List<ProcessMemory> spaces) {
      boolean isSame = memory.size() == spaces.size();
      for (int i = 0; i < memory.size() && isSame; i++) {
        isSame = isIdentical(memory.get(i), spaces.get(i).version());
      }
      return isSame;
    }

    @SuppressWarnings("ReferenceEquality") // what has been read again can have changed
    private static boolean isIdentical(Object a, Object b) {
      return a == b;
    }
  }

  /**
   * Returns the frames of a stack trace that is all in the first of the candidates; empty unless
   * all are known.
   */
  Optional<List<Frame>> all(int process, List<ProcessMemory> spaces, List<Long> addresses) {
    OfProcess known = processes.get(process);
    if (known == null || !known.isOf(spaces)) {
      return Optional.empty();
    }
    List<Frame> frames = new ArrayList<>(addresses.size());
    for (Long address : addresses) {
      Frame frame = known.frames(!frames.isEmpty()).get(address);
      if (frame == null) {
        return Optional.empty();
      }
      frames.add(frame);
    }
    return Optional.of(frames);
  }

  /**
   * Returns the frame of an address, which is looked up unless it is known.
   *
   * @param spaces the candidates for the process's memory, in order, of which the first has the
   *     address
   * @param isCaller whether the address is a return address
   */
  Frame frame(
      int process,
      List<ProcessMemory> spaces,
      long address,
      boolean isCaller,
      Supplier<Frame> lookedUp) {
    OfProcess known = processes.get(process);
    if (known == null || !known.isOf(spaces)) {
      known =
          new OfProcess(
              spaces.stream().map(ProcessMemory::version).toList(),
              new HashMap<>(),
              new HashMap<>());
      processes.put(process, known);
    }
    Map<Long, Frame> frames = known.frames(isCaller);
    Frame frame = frames.get(address);
    if (frame == null) {
      frame = lookedUp.get();
      // Code that a runtime compiles is replaced, and names can be there later.
      if (frame.path().isPresent()) {
        if (frames.size() >= MOST_FRAMES) {
          frames.clear();
        }
        frames.put(address, frame);
      }
    }
    return frame;
  }

  /** Forgets a process. */
  void forget(int process) {
    processes.remove(process);
  }

  /** Forgets all. */
  void clear() {
    processes.clear();
  }
}
