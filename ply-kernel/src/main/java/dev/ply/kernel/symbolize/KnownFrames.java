package dev.ply.kernel.symbolize;

import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.target.UserSymbols.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The frames of processes by their addresses: stack traces differ in few frames, which are looked
 * up once, and are one object in all of them. They take a small part of the memory for symbols, in
 * which those of the process used longest ago make room. For one thread.
 */
final class KnownFrames {
  /** The number of processes, of which each can have many frames. */
  private static final int MOST_PROCESSES = 256;

  /** The heap size of a frame, and of what it consists of, without the characters of its name. */
  private static final int FRAME_BYTES = 400;

  private static final int SHARE_OF_MEMORY = 16;
  private static final int PARTS = 8;

  private final MemoryBudget memory;
  private final Deque<Claim> claims = new ArrayDeque<>();
  private long claimed;
  private long bytes;

  /** By process, the one used longest ago first. */
  private final Map<Integer, OfProcess> processes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, OfProcess> eldest) {
          boolean isRemoved = size() > MOST_PROCESSES;
          bytes -= isRemoved ? eldest.getValue().bytes : 0;
          return isRemoved;
        }
      };

  KnownFrames(MemoryBudget memory) {
    this.memory = memory;
  }

  /** The frames of a process as long as its memory is the same. */
  private static final class OfProcess {
    private final Map<Long, Frame> first = new HashMap<>();
    private final Map<Long, Frame> callers = new HashMap<>();
    private final List<Object> memory;
    private long bytes;

    /**
     * Begins without frames.
     *
     * @param memory what {@link ProcessMemory#version} says of the candidates, in order
     */
    OfProcess(List<Object> memory) {
      this.memory = memory;
    }

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
      forget(process);
      known = new OfProcess(spaces.stream().map(ProcessMemory::version).toList());
      processes.put(process, known);
    }
    Map<Long, Frame> frames = known.frames(isCaller);
    Frame frame = frames.get(address);
    if (frame == null) {
      frame = lookedUp.get();
      // Code that a runtime compiles is replaced, and names can be there later.
      if (frame.path().isPresent()) {
        keep(known, frames, frame);
      }
    }
    return frame;
  }

  private void keep(OfProcess known, Map<Long, Frame> frames, Frame frame) {
    long size = FRAME_BYTES + 2L * frame.symbol().map(at -> at.name().length()).orElse(0);
    while (!hasRoom(size) && processes.size() > 1) {
      forget(processes.keySet().iterator().next());
    }
    if (hasRoom(size)) {
      bytes += size;
      known.bytes += size;
      frames.put(frame.address(), frame);
    } else {
      // Few of so many come again.
      bytes -= known.bytes;
      known.bytes = 0;
      known.first.clear();
      known.callers.clear();
    }
  }

  private boolean hasRoom(long size) {
    long part = memory.total() / SHARE_OF_MEMORY / PARTS;
    while (bytes + size > claimed && claims.size() < PARTS) {
      Optional<Claim> more = memory.reserve(part);
      if (more.isEmpty()) {
        break;
      }
      claims.add(more.get());
      claimed += part;
    }
    return bytes + size <= claimed;
  }

  /** Forgets a process. */
  void forget(int process) {
    OfProcess known = processes.remove(process);
    bytes -= known == null ? 0 : known.bytes;
  }

  /** Forgets all. */
  void clear() {
    processes.clear();
    bytes = 0;
    claims.forEach(Claim::release);
    claims.clear();
    claimed = 0;
  }
}
