package dev.ply.bpf.codegen;

import dev.ply.bpf.optimize.Pass;
import dev.ply.builtin.StackShape;
import dev.ply.target.Mechanism;
import java.util.Optional;
import java.util.Set;

/**
 * What may be chosen about a compiled script. What is not a power of two where the kernel wants one
 * is rounded up.
 *
 * @param mapEntries how many keys a map holds at most
 * @param ringBufferBytes the bytes of the buffer for events; scripts that send few make do with
 *     less
 * @param stackDepth how many functions of a stack trace are kept, the innermost ones; the kernel
 *     has a limit of its own, {@code kernel.perf_event_max_stack}
 * @param passes what the optimiser does
 * @param mechanism how to attach wherever it can be used, instead of what costs the least
 */
public record CompilerOptions(
    int mapEntries,
    int ringBufferBytes,
    int stackDepth,
    Set<Pass> passes,
    Optional<Mechanism> mechanism) {
  /**
   * What holds where nothing is chosen. A million events of a few numbers and a name fit into the
   * buffer: they are not lost even if the reader gets no processor in the meantime.
   */
  public static final CompilerOptions DEFAULT =
      new CompilerOptions(4096, 1 << 25, 32, Pass.ALL, Optional.empty());

  private static final int SMALLEST_BUFFER = 4096;
  private static final int LARGEST_BUFFER = 1 << 30;

  /** Returns the same, attached so. */
  public CompilerOptions attachedBy(Mechanism chosen) {
    return new CompilerOptions(
        mapEntries, ringBufferBytes, stackDepth, passes, Optional.of(chosen));
  }

  public CompilerOptions {
    passes = Set.copyOf(passes);
    if (mapEntries < 1) {
      throw new IllegalArgumentException("a map holds at least 1 key, not " + mapEntries);
    }
    if (ringBufferBytes < SMALLEST_BUFFER || ringBufferBytes > LARGEST_BUFFER) {
      throw new IllegalArgumentException(
          "a ring buffer has "
              + SMALLEST_BUFFER
              + " to "
              + LARGEST_BUFFER
              + " bytes, not "
              + ringBufferBytes);
    }
    if (stackDepth < 1 || stackDepth > StackShape.DEEPEST) {
      throw new IllegalArgumentException(
          "a stack trace has 1 to " + StackShape.DEEPEST + " functions, not " + stackDepth);
    }
    int highest = Integer.highestOneBit(ringBufferBytes);
    ringBufferBytes = highest == ringBufferBytes ? highest : highest * 2;
  }

  /** Returns the same with another number of keys. */
  public CompilerOptions withMapEntries(int keys) {
    return new CompilerOptions(keys, ringBufferBytes, stackDepth, passes, mechanism);
  }

  /** Returns the same with another size of the buffer for events. */
  public CompilerOptions withRingBufferBytes(int bytes) {
    return new CompilerOptions(mapEntries, bytes, stackDepth, passes, mechanism);
  }

  /** Returns the same with another depth of stack traces. */
  public CompilerOptions withStackDepth(int functions) {
    return new CompilerOptions(mapEntries, ringBufferBytes, functions, passes, mechanism);
  }

  /** Returns the same with these passes of the optimiser only. */
  public CompilerOptions withPasses(Set<Pass> chosen) {
    return new CompilerOptions(mapEntries, ringBufferBytes, stackDepth, chosen, mechanism);
  }
}
