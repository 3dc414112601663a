package dev.ply.bpf.isa;

import java.util.List;

/**
 * What a helper takes in r1 to r5 and gives back in r0.
 *
 * @param result what r0 holds afterwards
 * @param parameters what r1 and up must hold, at most five
 */
public record HelperSignature(Result result, List<Parameter> parameters) {
  /** What a helper leaves in r0. */
  public enum Result {
    /** A number. */
    SCALAR,
    /** A pointer to a value of the map in r1, or null. */
    MAP_VALUE_OR_NULL,
    /**
     * A pointer to a reserved ring-buffer record of the size in r2, or null; must be submitted or
     * discarded.
     */
    RECORD_OR_NULL,
    /** Nothing that may be read. */
    NOTHING
  }

  /** What an argument register must hold. */
  public enum Parameter {
    /** A map. */
    MAP,
    /** A ring buffer. */
    RING_BUFFER,
    /** A stack trace map. */
    STACK_MAP,
    /** Readable, initialised memory of the map's key size. */
    MAP_KEY,
    /** Readable, initialised memory of the map's value size. */
    MAP_VALUE,
    /** The program's context. */
    CONTEXT,
    /** Readable, initialised memory of the size in the next argument. */
    READABLE_MEMORY,
    /** Memory that may be written, of the size in the next argument. */
    WRITABLE_MEMORY,
    /** A number above zero that bounds the memory in the argument before. */
    SIZE,
    /** A number that may be zero and bounds the memory in the argument before. */
    SIZE_OR_ZERO,
    /** A number known when the program is loaded. */
    CONSTANT,
    /** A reserved record, which the call gives back. */
    RECORD,
    /** Any initialised register. */
    ANYTHING
  }

  public HelperSignature {
    parameters = List.copyOf(parameters);
  }
}
