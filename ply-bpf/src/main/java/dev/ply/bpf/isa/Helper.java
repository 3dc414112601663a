package dev.ply.bpf.isa;

import static dev.ply.bpf.isa.HelperSignature.Parameter.ANYTHING;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CONSTANT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CONTEXT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP_KEY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP_VALUE;
import static dev.ply.bpf.isa.HelperSignature.Parameter.READABLE_MEMORY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.RECORD;
import static dev.ply.bpf.isa.HelperSignature.Parameter.RING_BUFFER;
import static dev.ply.bpf.isa.HelperSignature.Parameter.SIZE;
import static dev.ply.bpf.isa.HelperSignature.Parameter.SIZE_OR_ZERO;
import static dev.ply.bpf.isa.HelperSignature.Parameter.STACK_MAP;
import static dev.ply.bpf.isa.HelperSignature.Parameter.WRITABLE_MEMORY;
import static dev.ply.bpf.isa.HelperSignature.Result.MAP_VALUE_OR_NULL;
import static dev.ply.bpf.isa.HelperSignature.Result.NOTHING;
import static dev.ply.bpf.isa.HelperSignature.Result.RECORD_OR_NULL;
import static dev.ply.bpf.isa.HelperSignature.Result.SCALAR;

import com.google.common.collect.Maps;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The kernel functions that tracing programs call, with the kernel's numbers
 * (include/uapi/linux/bpf.h).
 */
public enum Helper {
  /** Finds a map's value by key. */
  MAP_LOOKUP_ELEM(1, MAP_VALUE_OR_NULL, MAP, MAP_KEY),
  /** Stores a value under a key. */
  MAP_UPDATE_ELEM(2, SCALAR, MAP, MAP_KEY, MAP_VALUE, ANYTHING),
  /** Removes a key. */
  MAP_DELETE_ELEM(3, SCALAR, MAP, MAP_KEY),
  /** Nanoseconds since boot, without time asleep. */
  KTIME_GET_NS(5, SCALAR),
  /** A pseudo-random 32-bit number. */
  GET_PRANDOM_U32(7, SCALAR),
  /** The number of the running CPU. */
  GET_SMP_PROCESSOR_ID(8, SCALAR),
  /** Process id in the upper, thread id in the lower half. */
  GET_CURRENT_PID_TGID(14, SCALAR),
  /** Group id in the upper, user id in the lower half. */
  GET_CURRENT_UID_GID(15, SCALAR),
  /** Copies the thread's name, zero-padded. */
  GET_CURRENT_COMM(16, SCALAR, WRITABLE_MEMORY, SIZE),
  /** Records a stack trace in a map and gives its id. */
  GET_STACKID(27, SCALAR, CONTEXT, STACK_MAP, ANYTHING),
  /** The address of the running thread's task_struct. */
  GET_CURRENT_TASK(35, SCALAR),
  /** Copies user memory. Needs kernel 5.5. */
  PROBE_READ_USER(112, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies kernel memory. Needs kernel 5.5. */
  PROBE_READ_KERNEL(113, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies a user string up to its NUL. Needs kernel 5.5. */
  PROBE_READ_USER_STR(114, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies a kernel string up to its NUL. Needs kernel 5.5. */
  PROBE_READ_KERNEL_STR(115, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Nanoseconds since boot, with time asleep. Needs kernel 5.8. */
  KTIME_GET_BOOT_NS(125, SCALAR),
  /** Copies a record into a ring buffer. Needs kernel 5.8. */
  RINGBUF_OUTPUT(130, SCALAR, RING_BUFFER, READABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Reserves a record in a ring buffer. Needs kernel 5.8. */
  RINGBUF_RESERVE(131, RECORD_OR_NULL, RING_BUFFER, CONSTANT, ANYTHING),
  /** Hands a reserved record to the reader. Needs kernel 5.8. */
  RINGBUF_SUBMIT(132, NOTHING, RECORD, ANYTHING),
  /** Gives a reserved record up. Needs kernel 5.8. */
  RINGBUF_DISCARD(133, NOTHING, RECORD, ANYTHING),
  /**
   * Asks a ring buffer for its fill (flag 0), size (1), consumer (2) or producer (3) position.
   * Needs kernel 5.8.
   */
  RINGBUF_QUERY(134, SCALAR, RING_BUFFER, ANYTHING);

  private static final Map<Integer, Helper> BY_NUMBER =
      Maps.uniqueIndex(Arrays.asList(values()), Helper::number);

  private final int number;

  @SuppressWarnings("ImmutableEnumChecker") // a record over an unmodifiable list
  private final HelperSignature signature;

  Helper(int number, HelperSignature.Result result, HelperSignature.Parameter... parameters) {
    this.number = number;
    this.signature = new HelperSignature(result, List.of(parameters));
  }

  /** Returns the helper of that number, if this table has it. */
  public static Optional<Helper> ofNumber(int number) {
    return Optional.ofNullable(BY_NUMBER.get(number));
  }

  /** Returns the kernel's number. */
  public int number() {
    return number;
  }

  /** Returns what the helper takes and gives. */
  public HelperSignature signature() {
    return signature;
  }

  /** Returns the kernel's name without its prefix, {@code map_lookup_elem}. */
  public String kernelName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
