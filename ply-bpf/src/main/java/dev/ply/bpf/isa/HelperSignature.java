package dev.ply.bpf.isa;

import java.util.List;

/**
 * The types of a helper's parameters (r1 to r5) and result (r0), as the verifier checks them.
 *
 * @param result the type of r0
 * @param parameters the types of r1 and up, at most five
 */
public record HelperSignature(Result result, List<Parameter> parameters) {
  /** The type of a helper's result. */
  public enum Result {
    /** A scalar. */
    SCALAR,
    /** A pointer to a value of the map in r1, or null. */
    MAP_VALUE_OR_NULL,
    /** A reserved ring buffer record of r2 bytes, or null; must be submitted or discarded. */
    RECORD_OR_NULL,
    /** A pointer to the current task_struct, never null. */
    CURRENT_TASK,
    /** A pointer to saved user registers (struct pt_regs), never null. */
    TASK_REGISTERS,
    /** Void: r0 must not be read. */
    NOTHING
  }

  /** The type of a helper's parameter. */
  public enum Parameter {
    /** A map. */
    MAP,
    /** A per-CPU map. */
    PER_CPU_MAP,
    /** A ring buffer. */
    RING_BUFFER,
    /** A perf event array. */
    PERF_ARRAY,
    /** A stack trace map. */
    STACK_MAP,
    /** Initialised memory of the map's key size. */
    MAP_KEY,
    /** Initialised memory of the map's value size. */
    MAP_VALUE,
    /** The program's context. */
    CONTEXT,
    /** Initialised memory whose size is the next argument. */
    READABLE_MEMORY,
    /** {@link #READABLE_MEMORY} or null. */
    READABLE_MEMORY_OR_NULL,
    /** Writable memory whose size is the next argument. */
    WRITABLE_MEMORY,
    /** Writable, initialised memory whose size is the next argument, or null. */
    WRITABLE_MEMORY_OR_NULL,
    /** Eight aligned, writable bytes. */
    WRITABLE_LONG,
    /** A NUL-terminated string in the value of a read-only map. */
    CONSTANT_STRING,
    /** The size of the memory argument before it, above zero. */
    SIZE,
    /** The size of the memory argument before it. */
    SIZE_OR_ZERO,
    /** A scalar known at load time. */
    CONSTANT,
    /** A reserved record, which the call releases. */
    RECORD,
    /** A task_struct. */
    TASK,
    /** A struct path. */
    PATH,
    /** A struct sock, or another structure that begins with a sock_common. */
    SOCKET,
    /** A packet, struct sk_buff. */
    PACKET,
    /** The address of a function in the same program. */
    CALLBACK,
    /** A pointer to the stack for the callback, or null. */
    CALLBACK_CONTEXT,
    /** Any initialised register. */
    ANYTHING,
    /** A variadic argument: any initialised register, or none. */
    OPTIONAL;

    /** {@return whether the argument may point to program-owned memory, such as the stack} */
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
            CONSTANT_STRING,
            SIZE,
            SIZE_OR_ZERO,
            CONSTANT,
            RECORD,
            TASK,
            PATH,
            SOCKET,
            PACKET,
            ANYTHING,
            OPTIONAL ->
            false;
      };
    }

    /** {@return whether the call may write the memory} */
    public boolean isWritten() {
      return this == WRITABLE_MEMORY || this == WRITABLE_MEMORY_OR_NULL || this == WRITABLE_LONG;
    }

    /** {@return whether the call may read the memory's previous contents} */
    public boolean isRead() {
      return this != WRITABLE_MEMORY && this != WRITABLE_LONG;
    }
  }

  /** Copies the arguments. */
  public HelperSignature {
    parameters = List.copyOf(parameters);
  }

  /** {@return the number of mandatory arguments} */
  public int required() {
    int optional = parameters.indexOf(Parameter.OPTIONAL);
    return optional < 0 ? parameters.size() : optional;
  }
}
