package dev.ply.bpf.isa;

import static dev.ply.bpf.isa.HelperSignature.Parameter.ANYTHING;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CALLBACK;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CALLBACK_CONTEXT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CONSTANT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CONSTANT_TEXT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CONTEXT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP_KEY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP_VALUE;
import static dev.ply.bpf.isa.HelperSignature.Parameter.OPTIONAL;
import static dev.ply.bpf.isa.HelperSignature.Parameter.PERF_ARRAY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.PER_CPU_MAP;
import static dev.ply.bpf.isa.HelperSignature.Parameter.READABLE_MEMORY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.READABLE_MEMORY_OR_NULL;
import static dev.ply.bpf.isa.HelperSignature.Parameter.RECORD;
import static dev.ply.bpf.isa.HelperSignature.Parameter.RING_BUFFER;
import static dev.ply.bpf.isa.HelperSignature.Parameter.SIZE;
import static dev.ply.bpf.isa.HelperSignature.Parameter.SIZE_OR_ZERO;
import static dev.ply.bpf.isa.HelperSignature.Parameter.STACK_MAP;
import static dev.ply.bpf.isa.HelperSignature.Parameter.TASK;
import static dev.ply.bpf.isa.HelperSignature.Parameter.WRITABLE_LONG;
import static dev.ply.bpf.isa.HelperSignature.Parameter.WRITABLE_MEMORY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.WRITABLE_MEMORY_OR_NULL;
import static dev.ply.bpf.isa.HelperSignature.Result.CURRENT_TASK;
import static dev.ply.bpf.isa.HelperSignature.Result.MAP_VALUE_OR_NULL;
import static dev.ply.bpf.isa.HelperSignature.Result.NOTHING;
import static dev.ply.bpf.isa.HelperSignature.Result.RECORD_OR_NULL;
import static dev.ply.bpf.isa.HelperSignature.Result.SCALAR;
import static dev.ply.bpf.isa.HelperSignature.Result.TASK_REGISTERS;

import com.google.common.collect.Maps;
import dev.ply.target.KernelVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The kernel functions that tracing programs call, with the kernel's numbers
 * (include/uapi/linux/bpf.h), the version that brought each, and what each takes and gives
 * (kernel/bpf/helpers.c, kernel/trace/bpf_trace.c).
 *
 * <p>Some exist in programs of certain types only, or there since a later version: {@link
 * dev.ply.bpf.object.ProgramType#offers} tells.
 */
public enum Helper {
  /** Finds a map's value by key. */
  MAP_LOOKUP_ELEM(1, 3, 19, MAP_VALUE_OR_NULL, MAP, MAP_KEY),
  /** Stores a value under a key. */
  MAP_UPDATE_ELEM(2, 3, 19, SCALAR, MAP, MAP_KEY, MAP_VALUE, ANYTHING),
  /** Removes a key. */
  MAP_DELETE_ELEM(3, 3, 19, SCALAR, MAP, MAP_KEY),
  /** Copies memory of whichever space the address belongs to; only where the two do not overlap. */
  PROBE_READ(4, 4, 1, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Nanoseconds since boot, without time asleep. */
  KTIME_GET_NS(5, 4, 1, SCALAR),
  /** Prints to the kernel's trace_pipe: the format, its size, up to three values. */
  TRACE_PRINTK(6, 4, 1, SCALAR, READABLE_MEMORY, SIZE, OPTIONAL, OPTIONAL, OPTIONAL),
  /** A pseudo-random 32-bit number. */
  GET_PRANDOM_U32(7, 4, 1, SCALAR),
  /** The number of the running CPU. */
  GET_SMP_PROCESSOR_ID(8, 4, 1, SCALAR),
  /** Process id in the upper, thread id in the lower half. */
  GET_CURRENT_PID_TGID(14, 4, 2, SCALAR),
  /** Group id in the upper, user id in the lower half. */
  GET_CURRENT_UID_GID(15, 4, 2, SCALAR),
  /** Copies the thread's name, zero-padded but for Linux 6.0 and 6.1. */
  GET_CURRENT_COMM(16, 4, 2, SCALAR, WRITABLE_MEMORY, SIZE),
  /** The count of the perf event that an array holds for a CPU, or a negative error number. */
  PERF_EVENT_READ(22, 4, 3, SCALAR, PERF_ARRAY, ANYTHING),
  /**
   * Copies a record into a perf event's buffer: context, array, CPU or -1 for this one, data, size.
   */
  PERF_EVENT_OUTPUT(25, 4, 4, SCALAR, CONTEXT, PERF_ARRAY, ANYTHING, READABLE_MEMORY, SIZE_OR_ZERO),
  /** Records a stack trace in a map and gives its id. */
  GET_STACKID(27, 4, 6, SCALAR, CONTEXT, STACK_MAP, ANYTHING),
  /** The address of the running thread's task_struct, as a number. */
  GET_CURRENT_TASK(35, 4, 8, SCALAR),
  /** Writes to the memory of the running process. */
  PROBE_WRITE_USER(36, 4, 8, SCALAR, ANYTHING, READABLE_MEMORY, SIZE),
  /** The number of the running CPU's memory node. */
  GET_NUMA_NODE_ID(42, 4, 10, SCALAR),
  /** Copies a string up to its NUL, of whichever space the address belongs to. */
  PROBE_READ_STR(45, 4, 11, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies count, time enabled and time running of a perf event. */
  PERF_EVENT_READ_VALUE(55, 4, 15, SCALAR, PERF_ARRAY, ANYTHING, WRITABLE_MEMORY, SIZE),
  /** Copies count, time enabled and time running of the perf event that runs the program. */
  PERF_PROG_READ_VALUE(56, 4, 15, SCALAR, CONTEXT, WRITABLE_MEMORY, SIZE),
  /** Makes the probed function return that value at once, where the kernel allows it. */
  OVERRIDE_RETURN(58, 4, 16, SCALAR, CONTEXT, ANYTHING),
  /** Copies a stack trace and gives its size in bytes. */
  GET_STACK(67, 4, 18, SCALAR, CONTEXT, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** The id of the control group of the running thread. */
  GET_CURRENT_CGROUP_ID(80, 4, 18, SCALAR),
  /** Sends a signal to the running process. */
  SEND_SIGNAL(109, 5, 3, SCALAR, ANYTHING),
  /** Copies user memory. */
  PROBE_READ_USER(112, 5, 5, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies kernel memory. */
  PROBE_READ_KERNEL(113, 5, 5, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies a user string up to its NUL. */
  PROBE_READ_USER_STR(114, 5, 5, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies a kernel string up to its NUL. */
  PROBE_READ_KERNEL_STR(115, 5, 5, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Sends a signal to the running thread. */
  SEND_SIGNAL_THREAD(117, 5, 6, SCALAR, ANYTHING),
  /** The count of the kernel's clock ticks. */
  JIFFIES64(118, 5, 6, SCALAR),
  /** Copies the branches that the CPU recorded up to a sample. */
  READ_BRANCH_RECORDS(119, 5, 7, SCALAR, CONTEXT, WRITABLE_MEMORY_OR_NULL, SIZE_OR_ZERO, ANYTHING),
  /** Copies process and thread id as the pid namespace of that device and inode numbers them. */
  GET_NS_CURRENT_PID_TGID(120, 5, 7, SCALAR, ANYTHING, ANYTHING, WRITABLE_MEMORY, SIZE),
  /** The id of the ancestor of the running thread's control group at that depth. */
  GET_CURRENT_ANCESTOR_CGROUP_ID(123, 5, 7, SCALAR, ANYTHING),
  /** Nanoseconds since boot, with time asleep. */
  KTIME_GET_BOOT_NS(125, 5, 8, SCALAR),
  /** Copies a record into a ring buffer. */
  RINGBUF_OUTPUT(130, 5, 8, SCALAR, RING_BUFFER, READABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Reserves a record in a ring buffer. */
  RINGBUF_RESERVE(131, 5, 8, RECORD_OR_NULL, RING_BUFFER, CONSTANT, ANYTHING),
  /** Hands a reserved record to the reader. */
  RINGBUF_SUBMIT(132, 5, 8, NOTHING, RECORD, ANYTHING),
  /** Gives a reserved record up. */
  RINGBUF_DISCARD(133, 5, 8, NOTHING, RECORD, ANYTHING),
  /** Asks a ring buffer for its fill (flag 0), size (1), consumer (2) or producer (3) position. */
  RINGBUF_QUERY(134, 5, 8, SCALAR, RING_BUFFER, ANYTHING),
  /** Copies the stack trace of a thread and gives its size in bytes. */
  GET_TASK_STACK(141, 5, 9, SCALAR, TASK, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** The running thread's task_struct, of which fields can be loaded. Needs kernel 5.11. */
  GET_CURRENT_TASK_BTF(158, 5, 11, CURRENT_TASK),
  /** Nanoseconds since boot as of the last clock tick. Needs kernel 5.11. */
  KTIME_GET_COARSE_NS(160, 5, 11, SCALAR),
  /** Calls a function of the program for each entry of a map. Needs kernel 5.13. */
  FOR_EACH_MAP_ELEM(164, 5, 13, SCALAR, MAP, CALLBACK, CALLBACK_CONTEXT, ANYTHING),
  /**
   * Writes text: destination, its size, format, array of 64-bit values, its size in bytes. Needs
   * kernel 5.13.
   */
  SNPRINTF(
      165,
      5,
      13,
      SCALAR,
      WRITABLE_MEMORY_OR_NULL,
      SIZE_OR_ZERO,
      CONSTANT_TEXT,
      READABLE_MEMORY_OR_NULL,
      SIZE_OR_ZERO),
  /** The address of the probed function. Needs kernel 5.15. */
  GET_FUNC_IP(173, 5, 15, SCALAR, CONTEXT),
  /** The number that was given when the program was attached, or 0. Needs kernel 5.15. */
  GET_ATTACH_COOKIE(174, 5, 15, SCALAR, CONTEXT),
  /** The user registers of a thread as the kernel saved them. Needs kernel 5.15. */
  TASK_PT_REGS(175, 5, 15, TASK_REGISTERS, TASK),
  /** Copies the branches that the CPU recorded up to now. Needs kernel 5.16. */
  GET_BRANCH_SNAPSHOT(176, 5, 16, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /**
   * Prints to the kernel's trace_pipe: format, its size, array of 64-bit values, its size in bytes.
   * Needs kernel 5.16.
   */
  TRACE_VPRINTK(177, 5, 16, SCALAR, READABLE_MEMORY, SIZE, READABLE_MEMORY_OR_NULL, SIZE_OR_ZERO),
  /** Calls a function of the program that often, with index and context. Needs kernel 5.17. */
  LOOP(181, 5, 17, SCALAR, ANYTHING, CALLBACK, CALLBACK_CONTEXT, ANYTHING),
  /** Compares memory with a text constant, as strncmp(3) does. Needs kernel 5.17. */
  STRNCMP(182, 5, 17, SCALAR, READABLE_MEMORY, SIZE, CONSTANT_TEXT),
  /** Copies an argument of the probed function, counted from 0. Needs kernel 5.17. */
  GET_FUNC_ARG(183, 5, 17, SCALAR, CONTEXT, ANYTHING, WRITABLE_LONG),
  /** Copies what the probed function returned. Needs kernel 5.17. */
  GET_FUNC_RET(184, 5, 17, SCALAR, CONTEXT, WRITABLE_LONG),
  /** How many arguments the probed function has. Needs kernel 5.17. */
  GET_FUNC_ARG_CNT(185, 5, 17, SCALAR, CONTEXT),
  /** Finds a map's value by key and CPU. Needs kernel 5.19. */
  MAP_LOOKUP_PERCPU_ELEM(195, 5, 19, MAP_VALUE_OR_NULL, PER_CPU_MAP, MAP_KEY, ANYTHING),
  /** International Atomic Time in nanoseconds. Needs kernel 6.1. */
  KTIME_GET_TAI_NS(208, 6, 1, SCALAR);

  private static final Map<Integer, Helper> BY_NUMBER =
      Maps.uniqueIndex(Arrays.asList(values()), Helper::number);

  private final int number;

  @SuppressWarnings("ImmutableEnumChecker") // a record of numbers
  private final KernelVersion since;

  @SuppressWarnings("ImmutableEnumChecker") // a record over an unmodifiable list
  private final HelperSignature signature;

  Helper(
      int number,
      int major,
      int minor,
      HelperSignature.Result result,
      HelperSignature.Parameter... parameters) {
    this.number = number;
    this.since = new KernelVersion(major, minor, 0);
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

  /** Returns the first kernel that has the helper for any program type. */
  public KernelVersion since() {
    return since;
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
