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
    /** A pointer to the running thread's task_struct, never null. */
    CURRENT_TASK,
    /** A pointer to the user registers (struct pt_regs) that the kernel saved, never null. */
    TASK_REGISTERS,
    /** Nothing that may be read. */
    NOTHING
  }

  /** What an argument register must hold. */
  public enum Parameter {
    /** A map. */
    MAP,
    /** A map with a value for each CPU. */
    PER_CPU_MAP,
    /** A ring buffer. */
    RING_BUFFER,
    /** An array of perf events. */
    PERF_ARRAY,
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
    /** The same, or null. */
    READABLE_MEMORY_OR_NULL,
    /** Memory that may be written, of the size in the next argument. */
    WRITABLE_MEMORY,
    /** The same, initialised beforehand, or null. */
    WRITABLE_MEMORY_OR_NULL,
    /** Eight bytes of memory that may be written, aligned. */
    WRITABLE_LONG,
    /** Text that ends with NUL in a value of a read-only map. */
    CONSTANT_TEXT,
    /** A number above zero that bounds the memory in the argument before. */
    SIZE,
    /** A number that may be zero and bounds the memory in the argument before. */
    SIZE_OR_ZERO,
    /** A number known when the program is loaded. */
    CONSTANT,
    /** A reserved record, which the call gives back. */
    RECORD,
    /** A task_struct. */
    TASK,
    /** The address of a function in the same program. */
    CALLBACK,
    /** A pointer to the stack for the callback, or null. */
    CALLBACK_CONTEXT,
    /** Any initialised register. */
    ANYTHING,
    /** Whatever the register holds, if anything: a value that the text before may ask for. */
    OPTIONAL;

    /** Tells whether the argument may point to memory of the program, the stack for one. */
    public boolean isMemory() {
      return switch (this) {
        case MAP_KEY,
            MAP_VALUE,
            READABLE_MEMORY,
            READABLE_MEMORY_OR_NULL,
            WRITABLE_MEMORY,
            WRITABLE_MEMORY_OR_NULL,
            WRITABLE_LONG,
            CALLBACK,
            CALLBACK_CONTEXT ->
            true;
        case MAP,
            PER_CPU_MAP,
            RING_BUFFER,
            PERF_ARRAY,
            STACK_MAP,
            CONTEXT,
            CONSTANT_TEXT,
            SIZE,
            SIZE_OR_ZERO,
            CONSTANT,
            RECORD,
            TASK,
            ANYTHING,
            OPTIONAL ->
            false;
      };
    }

    /** Tells whether a call may write the memory that the argument points to. */
    public boolean isWritten() {
      return this == WRITABLE_MEMORY || this == WRITABLE_MEMORY_OR_NULL || this == WRITABLE_LONG;
    }

    /**
     * Tells whether what the memory holds before the call, if the argument points to some, matters
     * to it.
     */
    public boolean isRead() {
      return this != WRITABLE_MEMORY && this != WRITABLE_LONG;
    }
  }

  public HelperSignature {
    parameters = List.copyOf(parameters);
  }

  /** Returns how many arguments have to be there: all before the first optional one. */
  public int required() {
    int optional = parameters.indexOf(Parameter.OPTIONAL);
    return optional < 0 ? parameters.size() : optional;
  }
}
