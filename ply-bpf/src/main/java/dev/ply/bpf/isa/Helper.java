package dev.ply.bpf.isa;

import static dev.ply.bpf.isa.HelperSignature.Parameter.ANYTHING;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CALLBACK;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CALLBACK_CONTEXT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CONSTANT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CONSTANT_STRING;
import static dev.ply.bpf.isa.HelperSignature.Parameter.CONTEXT;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP_KEY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.MAP_VALUE;
import static dev.ply.bpf.isa.HelperSignature.Parameter.OPTIONAL;
import static dev.ply.bpf.isa.HelperSignature.Parameter.PACKET;
import static dev.ply.bpf.isa.HelperSignature.Parameter.PATH;
import static dev.ply.bpf.isa.HelperSignature.Parameter.PERF_ARRAY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.PER_CPU_MAP;
import static dev.ply.bpf.isa.HelperSignature.Parameter.READABLE_MEMORY;
import static dev.ply.bpf.isa.HelperSignature.Parameter.READABLE_MEMORY_OR_NULL;
import static dev.ply.bpf.isa.HelperSignature.Parameter.RECORD;
import static dev.ply.bpf.isa.HelperSignature.Parameter.RING_BUFFER;
import static dev.ply.bpf.isa.HelperSignature.Parameter.SIZE;
import static dev.ply.bpf.isa.HelperSignature.Parameter.SIZE_OR_ZERO;
import static dev.ply.bpf.isa.HelperSignature.Parameter.SOCKET;
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
import dev.ply.machine.KernelVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The helper functions of the kernel that tracing programs call.
 *
 * <p>Numbers are those of include/uapi/linux/bpf.h, signatures those of kernel/bpf/helpers.c and
 * kernel/trace/bpf_trace.c. Which program types may call a helper, and since which kernel: {@link
 * dev.ply.bpf.object.ProgramType#offers}.
 */
public enum Helper {
  /** Finds a map's value by key. */
  MAP_LOOKUP_ELEM(1, 3, 19, MAP_VALUE_OR_NULL, MAP, MAP_KEY),
  /** Stores a value under a key. */
  MAP_UPDATE_ELEM(2, 3, 19, SCALAR, MAP, MAP_KEY, MAP_VALUE, ANYTHING),
  /** Removes a key. */
  MAP_DELETE_ELEM(3, 3, 19, SCALAR, MAP, MAP_KEY),
  /** Copies kernel or user memory, by address; only on architectures where the two are disjoint. */
  PROBE_READ(4, 4, 1, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Nanoseconds since boot, without time asleep. */
  KTIME_GET_NS(5, 4, 1, SCALAR),
  /** Prints to trace_pipe: format, its size, up to three values. */
  TRACE_PRINTK(6, 4, 1, SCALAR, READABLE_MEMORY, SIZE, OPTIONAL, OPTIONAL, OPTIONAL),
  /** A pseudo-random 32-bit number. */
  GET_PRANDOM_U32(7, 4, 1, SCALAR),
  /** The number of the current CPU. */
  GET_SMP_PROCESSOR_ID(8, 4, 1, SCALAR),
  /** TGID in the upper half, TID in the lower half. */
  GET_CURRENT_PID_TGID(14, 4, 2, SCALAR),
  /** GID in the upper half, UID in the lower half. */
  GET_CURRENT_UID_GID(15, 4, 2, SCALAR),
  /** Copies the name of the current thread; zero-padded except on Linux 6.0 and 6.1. */
  GET_CURRENT_COMM(16, 4, 2, SCALAR, WRITABLE_MEMORY, SIZE),
  /** The count of a perf event of a perf event array, or a negative errno. */
  PERF_EVENT_READ(22, 4, 3, SCALAR, PERF_ARRAY, ANYTHING),
  /** Copies a record into a perf buffer: context, array, CPU or -1 for the current, data, size. */
  PERF_EVENT_OUTPUT(25, 4, 4, SCALAR, CONTEXT, PERF_ARRAY, ANYTHING, READABLE_MEMORY, SIZE_OR_ZERO),
  /** Stores a stack trace in a map and returns its ID. */
  GET_STACKID(27, 4, 6, SCALAR, CONTEXT, STACK_MAP, ANYTHING),
  /** The address of the current task_struct, as a scalar. */
  GET_CURRENT_TASK(35, 4, 8, SCALAR),
  /** Writes to user memory of the current process. */
  PROBE_WRITE_USER(36, 4, 8, SCALAR, ANYTHING, READABLE_MEMORY, SIZE),
  /** The NUMA node of the current CPU. */
  GET_NUMA_NODE_ID(42, 4, 10, SCALAR),
  /** Copies a kernel or user string up to its NUL, by address. */
  PROBE_READ_STR(45, 4, 11, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** The kernel's number of a socket; 0 for null. Needs kernel 5.12 in tracing programs. */
  GET_SOCKET_COOKIE(46, 4, 12, SCALAR, SOCKET),
  /** Copies count, time enabled and time running of an event of a perf event array. */
  PERF_EVENT_READ_VALUE(55, 4, 15, SCALAR, PERF_ARRAY, ANYTHING, WRITABLE_MEMORY, SIZE),
  /** Copies count, time enabled and time running of the perf event that triggered the program. */
  PERF_PROG_READ_VALUE(56, 4, 15, SCALAR, CONTEXT, WRITABLE_MEMORY, SIZE),
  /** Skips the probed function and makes it return a value; it must allow error injection. */
  OVERRIDE_RETURN(58, 4, 16, SCALAR, CONTEXT, ANYTHING),
  /** Copies a stack trace and returns its size in bytes. */
  GET_STACK(67, 4, 18, SCALAR, CONTEXT, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** The cgroup ID of the current thread. */
  GET_CURRENT_CGROUP_ID(80, 4, 18, SCALAR),
  /** Sends a signal to the current process. */
  SEND_SIGNAL(109, 5, 3, SCALAR, ANYTHING),
  /**
   * Copies memory and a packet to a perf event's buffer: the packet's bytes in bits 32 to 51 of the
   * flags, the CPU's number below. Needs a tracing program.
   */
  SKB_OUTPUT(111, 5, 5, SCALAR, PACKET, PERF_ARRAY, ANYTHING, READABLE_MEMORY, SIZE_OR_ZERO),
  /** Copies user memory. */
  PROBE_READ_USER(112, 5, 5, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies kernel memory. */
  PROBE_READ_KERNEL(113, 5, 5, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies a user string up to its NUL. */
  PROBE_READ_USER_STR(114, 5, 5, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Copies a kernel string up to its NUL. */
  PROBE_READ_KERNEL_STR(115, 5, 5, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Sends a signal to the current thread. */
  SEND_SIGNAL_THREAD(117, 5, 6, SCALAR, ANYTHING),
  /** The jiffies counter. */
  JIFFIES64(118, 5, 6, SCALAR),
  /** Copies the branch records (LBR) of a perf sample. */
  READ_BRANCH_RECORDS(119, 5, 7, SCALAR, CONTEXT, WRITABLE_MEMORY_OR_NULL, SIZE_OR_ZERO, ANYTHING),
  /** Copies TGID and TID as seen in the PID namespace of that device and inode. */
  GET_NS_CURRENT_PID_TGID(120, 5, 7, SCALAR, ANYTHING, ANYTHING, WRITABLE_MEMORY, SIZE),
  /** The cgroup ID of the ancestor of the current thread's cgroup at a depth. */
  GET_CURRENT_ANCESTOR_CGROUP_ID(123, 5, 7, SCALAR, ANYTHING),
  /** Nanoseconds since boot, suspend included. */
  KTIME_GET_BOOT_NS(125, 5, 8, SCALAR),
  /** Copies a record into a ring buffer. */
  RINGBUF_OUTPUT(130, 5, 8, SCALAR, RING_BUFFER, READABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Reserves a record in a ring buffer. */
  RINGBUF_RESERVE(131, 5, 8, RECORD_OR_NULL, RING_BUFFER, CONSTANT, ANYTHING),
  /** Submits a reserved record. */
  RINGBUF_SUBMIT(132, 5, 8, NOTHING, RECORD, ANYTHING),
  /** Discards a reserved record. */
  RINGBUF_DISCARD(133, 5, 8, NOTHING, RECORD, ANYTHING),
  /** Queries a ring buffer: flag 0 unread bytes, 1 size, 2 consumer and 3 producer position. */
  RINGBUF_QUERY(134, 5, 8, SCALAR, RING_BUFFER, ANYTHING),
  /** Copies the stack trace of a task and returns its size in bytes. */
  GET_TASK_STACK(141, 5, 9, SCALAR, TASK, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /** Writes the full path of a struct path, and returns its length with the NUL. */
  D_PATH(147, 5, 10, SCALAR, PATH, WRITABLE_MEMORY, SIZE_OR_ZERO),
  /** The current task_struct as a typed pointer. Needs kernel 5.11. */
  GET_CURRENT_TASK_BTF(158, 5, 11, CURRENT_TASK),
  /** Nanoseconds since boot at the last tick. Needs kernel 5.11. */
  KTIME_GET_COARSE_NS(160, 5, 11, SCALAR),
  /** Calls a callback for each entry of a map. Needs kernel 5.13. */
  FOR_EACH_MAP_ELEM(164, 5, 13, SCALAR, MAP, CALLBACK, CALLBACK_CONTEXT, ANYTHING),
  /**
   * Formats a string: destination, its size, format, array of 64-bit values, its size in bytes.
   * Needs kernel 5.13.
   */
  SNPRINTF(
      165,
      5,
      13,
      SCALAR,
      WRITABLE_MEMORY_OR_NULL,
      SIZE_OR_ZERO,
      CONSTANT_STRING,
      READABLE_MEMORY_OR_NULL,
      SIZE_OR_ZERO),
  /** The address of the probed function. Needs kernel 5.15. */
  GET_FUNC_IP(173, 5, 15, SCALAR, CONTEXT),
  /** The cookie set at attach time, or 0. Needs kernel 5.15. */
  GET_ATTACH_COOKIE(174, 5, 15, SCALAR, CONTEXT),
  /** The saved user registers of a task. Needs kernel 5.15. */
  TASK_PT_REGS(175, 5, 15, TASK_REGISTERS, TASK),
  /** Copies the current branch records (LBR). Needs kernel 5.16. */
  GET_BRANCH_SNAPSHOT(176, 5, 16, SCALAR, WRITABLE_MEMORY, SIZE_OR_ZERO, ANYTHING),
  /**
   * Prints to trace_pipe: format, its size, array of 64-bit values, its size in bytes. Needs kernel
   * 5.16.
   */
  TRACE_VPRINTK(177, 5, 16, SCALAR, READABLE_MEMORY, SIZE, READABLE_MEMORY_OR_NULL, SIZE_OR_ZERO),
  /** Calls a callback a number of times with index and context. Needs kernel 5.17. */
  LOOP(181, 5, 17, SCALAR, ANYTHING, CALLBACK, CALLBACK_CONTEXT, ANYTHING),
  /** Compares memory with a constant string, like strncmp(3). Needs kernel 5.17. */
  STRNCMP(182, 5, 17, SCALAR, READABLE_MEMORY, SIZE, CONSTANT_STRING),
  /** Copies an argument of the probed function, from 0. Needs kernel 5.17. */
  GET_FUNC_ARG(183, 5, 17, SCALAR, CONTEXT, ANYTHING, WRITABLE_LONG),
  /** Copies the return value of the probed function. Needs kernel 5.17. */
  GET_FUNC_RET(184, 5, 17, SCALAR, CONTEXT, WRITABLE_LONG),
  /** The number of arguments of the probed function. Needs kernel 5.17. */
  GET_FUNC_ARG_CNT(185, 5, 17, SCALAR, CONTEXT),
  /** Finds a per-CPU map's value by key and CPU. Needs kernel 5.19. */
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

  /**
   * {@return the helper with {@code number}, if known}
   *
   * @param number as in enum bpf_func_id
   */
  public static Optional<Helper> ofNumber(int number) {
    return Optional.ofNullable(BY_NUMBER.get(number));
  }

  /** {@return the helper number of the kernel} */
  public int number() {
    return number;
  }

  /** {@return the first kernel that has the helper, for any program type} */
  public KernelVersion since() {
    return since;
  }

  /** {@return the parameter and result types} */
  public HelperSignature signature() {
    return signature;
  }

  /** {@return the kernel's name without {@code bpf_}, such as {@code map_lookup_elem}} */
  public String kernelName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
