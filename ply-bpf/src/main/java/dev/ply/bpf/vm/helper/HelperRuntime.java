package dev.ply.bpf.vm.helper;

import static dev.ply.bpf.vm.memory.VmFault.Kind.BAD_ARGUMENT;
import static dev.ply.bpf.vm.memory.VmFault.Kind.UNRELEASED_RECORD;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.vm.map.HelperError;
import dev.ply.bpf.vm.map.MapOfMapsStore;
import dev.ply.bpf.vm.map.MapStore;
import dev.ply.bpf.vm.map.MapTable;
import dev.ply.bpf.vm.map.PerfEventStore;
import dev.ply.bpf.vm.map.RingBufferStore;
import dev.ply.bpf.vm.map.StackTraceStore;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import dev.ply.bpf.vm.memory.VmFault;
import dev.ply.target.PidNamespace;
import dev.ply.type.AddressSpace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The helper functions of the VM. */
public final class HelperRuntime {
  private static final int COMM_SIZE = 16;
  private static final int MAX_SIZE = 1 << 29;
  private static final long WAKEUP_FLAGS = 0b11;
  private static final long SKIP_FIELD = 0xff;
  private static final long USER_STACK = 1 << 8;
  private static final int LAST_SIGNAL = 64;

  /** Of a kernel with CONFIG_HZ=250. */
  private static final long NANOS_PER_TICK = 4_000_000;

  /** Size of struct bpf_perf_event_value. */
  private static final int COUNTER_SIZE = 24;

  private record Reserved(Region region, RingBufferStore.Reservation reservation) {}

  private final MachineMemory memory;
  private final MapTable maps;
  private final Random random;
  private final List<SideEffect> effects;
  private final PrintHelpers print;
  private final CallbackHelpers callbacks;

  /** BPF_F_CTXLEN_MASK. */
  private static final int LONGEST_PACKET = 0xfffff;

  private final KernelObjects objects;
  private final Map<Long, Long> cookies = new HashMap<>();
  private final Map<Long, Reserved> reserved = new LinkedHashMap<>();
  private Task task = Task.of(0, "");
  private ProbeReader probe;

  /** Runs helpers for the programs of one virtual machine. */
  public HelperRuntime(
      MachineMemory memory, MapTable maps, long randomSeed, List<SideEffect> effects) {
    this.memory = memory;
    this.maps = maps;
    this.effects = effects;
    this.print = new PrintHelpers(memory, effects);
    this.callbacks = new CallbackHelpers(memory, maps);
    this.objects = new KernelObjects(memory);
    this.random = new Random(randomSeed);
    this.probe = new ProbeReader(memory, task.memory());
  }

  /** Sets the current task. */
  public void enter(Task task) {
    this.task = task;
    this.probe = new ProbeReader(memory, task.memory());
    memory.setKernelMemory(task.memory());
  }

  /** Checks that every reserved record was submitted or discarded. */
  public void requireAllReleased() {
    if (!reserved.isEmpty()) {
      throw new VmFault(
          UNRELEASED_RECORD,
          "exits with "
              + reserved.size()
              + " unreleased ring buffer record(s); submit or discard each on every path");
    }
  }

  /** Discards the records that a faulting program left reserved. */
  public void abandon() {
    for (long address : List.copyOf(reserved.keySet())) {
      release(address).discard();
    }
  }

  /**
   * Calls {@code helper} with r1 to r5 and returns r0.
   *
   * @param caller calls functions of the program, for callbacks
   */
  public long call(Helper helper, long[] r, CallbackHelpers.Caller caller) {
    return switch (helper) {
      case MAP_LOOKUP_ELEM -> {
        Optional<MapOfMapsStore> outer = maps.outer(r[1]);
        if (outer.isPresent()) {
          yield outer.get().find(memory.read(r[2], Integer.BYTES));
        }
        MapStore map = map(r[1]);
        Region value = map.find(key(map, r[2]), task.cpu());
        yield value == null ? 0 : value.address();
      }
      case MAP_UPDATE_ELEM -> {
        MapStore map = map(r[1]);
        byte[] key = key(map, r[2]);
        byte[] value = memory.read(r[3], map.map().valueSize());
        yield map.store(key, task.cpu(), value, r[4]);
      }
      case MAP_DELETE_ELEM -> {
        MapStore map = map(r[1]);
        yield map.remove(key(map, r[2]));
      }
      case MAP_LOOKUP_PERCPU_ELEM -> {
        MapStore map = map(r[1]);
        boolean exists = Long.compareUnsigned(r[3] & 0xffff_ffffL, map.copies()) < 0;
        Region value = exists ? map.find(key(map, r[2]), (int) r[3]) : null;
        yield value == null ? 0 : value.address();
      }
      case KTIME_GET_NS, KTIME_GET_BOOT_NS, KTIME_GET_COARSE_NS, KTIME_GET_TAI_NS -> task.nanos();
      case JIFFIES64 -> task.nanos() / NANOS_PER_TICK;
      case GET_PRANDOM_U32 -> Integer.toUnsignedLong(random.nextInt());
      case GET_SMP_PROCESSOR_ID -> task.cpu();
      case GET_CURRENT_PID_TGID -> pair(task.identity().pid(), task.identity().tid());
      case GET_CURRENT_UID_GID -> pair(task.identity().gid(), task.identity().uid());
      case GET_CURRENT_COMM -> comm(r[1], positive(r[2], 2));
      case GET_CURRENT_TASK -> task.identity().taskStruct();
      case GET_CURRENT_TASK_BTF -> objects.taskStruct(task);
      case TASK_PT_REGS -> {
        requireTask(r[1]);
        yield objects.registers(task);
      }
      case GET_CURRENT_CGROUP_ID -> task.identity().cgroup();
      case GET_CURRENT_ANCESTOR_CGROUP_ID -> task.identity().ancestor((int) r[1]);
      case GET_NUMA_NODE_ID -> 0;
      case GET_NS_CURRENT_PID_TGID ->
          namespaceIds(new PidNamespace(r[1], r[2]), r[3], positive(r[4], 4));
      case GET_ATTACH_COOKIE -> task.attachment().cookie();
      case GET_FUNC_IP -> task.attachment().function();
      case GET_FUNC_ARG_CNT -> task.attachment().arguments();
      case GET_FUNC_ARG ->
          Long.compareUnsigned(r[2] & 0xffff_ffffL, task.attachment().arguments()) < 0
              ? argument(r[1], r[2] & 0xffff_ffffL, r[3])
              : -HelperError.EINVAL;
      case GET_FUNC_RET -> argument(r[1], task.attachment().arguments(), r[2]);
      case SEND_SIGNAL -> signal((int) r[1], false);
      case SEND_SIGNAL_THREAD -> signal((int) r[1], true);
      case OVERRIDE_RETURN -> {
        memory.requireContext(r[1]);
        effects.add(new SideEffect.ReturnOverridden(r[2]));
        yield 0;
      }
      case PROBE_WRITE_USER -> {
        byte[] bytes = memory.read(r[2], positive(r[3], 3));
        task.memory().put(AddressSpace.USER, r[1], bytes);
        effects.add(new SideEffect.UserMemoryWritten(r[1], bytes.length));
        yield 0;
      }
      case TRACE_PRINTK -> print.print(probe, memory.read(r[1], positive(r[2], 2)), r);
      case TRACE_VPRINTK ->
          print.print(
              probe, memory.read(r[1], positive(r[2], 2)), memory.read(r[3], size(r[4], 4)));
      case SNPRINTF ->
          print.write(
              probe, r[1], size(r[2], 2), print.constant(r[3]), memory.read(r[4], size(r[5], 5)));
      case STRNCMP -> print.compare(memory.read(r[1], positive(r[2], 2)), r[3]);
      case GET_STACK -> {
        memory.requireContext(r[1]);
        yield stack(r[2], size(r[3], 3), r[4]);
      }
      // As on a machine without PMU counters and branch records.
      case PERF_EVENT_READ, READ_BRANCH_RECORDS, GET_BRANCH_SNAPSHOT -> -HelperError.ENOENT;
      case PERF_EVENT_READ_VALUE -> noCounter(r[3], positive(r[4], 4));
      case PERF_PROG_READ_VALUE -> noCounter(r[2], positive(r[3], 3));
      case LOOP -> callbacks.loop(r, caller);
      case FOR_EACH_MAP_ELEM -> callbacks.forEach(r, task.cpu(), caller);
      case PERF_EVENT_OUTPUT -> {
        memory.requireContext(r[1]);
        yield maps.at(PerfEventStore.class, r[2], 2)
            .output(task.cpu(), r[3], memory.read(r[4], size(r[5], 5)));
      }
      case SKB_OUTPUT ->
          packet(
              maps.at(PerfEventStore.class, r[2], 2), r[1], r[3], memory.read(r[4], size(r[5], 5)));
      case GET_TASK_STACK -> {
        requireTask(r[1]);
        yield stack(r[2], size(r[3], 3), r[4]);
      }
      case PROBE_READ -> probe.read(spaceOf(r[3]), r[3], r[1], size(r[2], 2));
      case PROBE_READ_STR -> probe.readString(spaceOf(r[3]), r[3], r[1], size(r[2], 2));
      case GET_STACKID -> {
        memory.requireContext(r[1]);
        yield stackId(r[2], r[3]);
      }
      case PROBE_READ_USER -> probe.read(AddressSpace.USER, r[3], r[1], size(r[2], 2));
      case PROBE_READ_KERNEL -> probe.read(AddressSpace.KERNEL, r[3], r[1], size(r[2], 2));
      case PROBE_READ_USER_STR -> probe.readString(AddressSpace.USER, r[3], r[1], size(r[2], 2));
      case PROBE_READ_KERNEL_STR ->
          probe.readString(AddressSpace.KERNEL, r[3], r[1], size(r[2], 2));
      case RINGBUF_OUTPUT -> output(ring(r[1]), memory.read(r[2], size(r[3], 3)), r[4]);
      case RINGBUF_RESERVE -> reserve(ring(r[1]), r[2], r[3]);
      case RINGBUF_SUBMIT -> {
        release(r[1]).submit();
        yield 0;
      }
      case RINGBUF_DISCARD -> {
        release(r[1]).discard();
        yield 0;
      }
      case RINGBUF_QUERY -> query(ring(r[1]), r[2]);
      // There are no mounted file systems.
      case D_PATH -> -HelperError.ENOENT;
      case GET_SOCKET_COOKIE -> cookies.computeIfAbsent(r[1], unused -> cookies.size() + 1L);
    };
  }

  /** A packet's bytes are those at its address: the machine knows no structures. */
  private long packet(PerfEventStore events, long packet, long flags, byte[] metadata) {
    long index = flags & 0xffff_ffffL;
    int length = (int) (flags >>> Integer.SIZE);
    if (flags >>> Integer.SIZE > LONGEST_PACKET) {
      return -HelperError.EINVAL;
    }
    byte[] record = Arrays.copyOf(metadata, metadata.length + length);
    for (int i = 0; i < length; i++) {
      int next = task.memory().byteAt(AddressSpace.KERNEL, packet + i);
      if (next < 0) {
        return -HelperError.EFAULT;
      }
      record[metadata.length + i] = (byte) next;
    }
    return events.output(task.cpu(), index, record);
  }

  private MapStore map(long address) {
    return maps.at(MapStore.class, address, 1);
  }

  private RingBufferStore ring(long address) {
    return maps.at(RingBufferStore.class, address, 1);
  }

  private byte[] key(MapStore map, long address) {
    return memory.read(address, map.map().keySize());
  }

  /**
   * Keeps the destination's bytes after the NUL, as kernels 6.0 and 6.1 do; others pad with NULs.
   */
  private long comm(long destination, int size) {
    byte[] name = task.identity().comm().getBytes(StandardCharsets.UTF_8);
    int length = Math.min(name.length, Math.min(size, COMM_SIZE) - 1);
    memory.write(
        destination, size, Arrays.copyOf(Arrays.copyOf(name, length), length + 1), length + 1);
    return 0;
  }

  /** Kernel addresses are negative as signed numbers. */
  private static AddressSpace spaceOf(long address) {
    return address < 0 ? AddressSpace.KERNEL : AddressSpace.USER;
  }

  /** Copies a 64-bit value from the context. */
  private long argument(long context, long index, long destination) {
    memory.requireContext(context);
    byte[] value = memory.read(context + index * Long.BYTES, Long.BYTES);
    memory.write(destination, Long.BYTES, value, Long.BYTES);
    return 0;
  }

  /** Fails and writes zeros for all namespaces but the thread's own. */
  private long namespaceIds(PidNamespace namespace, long destination, int size) {
    Optional<PidNamespace.Ids> ids =
        task.identity().namespaced().filter(own -> own.namespace().equals(namespace));
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    boolean fails = size != Long.BYTES || ids.isEmpty();
    if (!fails) {
      bytes.putInt(ids.get().tid()).putInt(ids.get().pid());
    }
    memory.write(destination, size, bytes.array(), size);
    return fails ? -HelperError.EINVAL : 0;
  }

  private long signal(int signal, boolean toThread) {
    if (signal < 0 || signal > LAST_SIGNAL) {
      return -HelperError.EINVAL;
    }
    effects.add(new SideEffect.Signalled(task, signal, toThread));
    return 0;
  }

  private long noCounter(long destination, int size) {
    memory.write(destination, size, new byte[size], size);
    return size == COUNTER_SIZE ? -HelperError.ENOENT : -HelperError.EINVAL;
  }

  private List<Long> stackTrace(long flags) {
    List<Long> stack = (flags & USER_STACK) != 0 ? task.stacks().user() : task.stacks().kernel();
    return stack.subList((int) Math.min(flags & SKIP_FIELD, stack.size()), stack.size());
  }

  /** Checks for the VM's only task_struct, that of the current thread. */
  private void requireTask(long address) {
    if (address != objects.taskStruct(task)) {
      throw new VmFault(
          BAD_ARGUMENT, "passes 0x" + Long.toHexString(address) + " in r1, not a task_struct");
    }
  }

  private long stack(long destination, int size, long flags) {
    if (size % Long.BYTES != 0) {
      memory.write(destination, size, new byte[size], size);
      return -HelperError.EINVAL;
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    stackTrace(flags).stream().limit(size / Long.BYTES).forEach(out::putLong);
    memory.write(destination, size, out.array(), size);
    return out.position();
  }

  private long stackId(long mapAddress, long flags) {
    StackTraceStore traces = maps.at(StackTraceStore.class, mapAddress, 2);
    List<Long> stack = (flags & USER_STACK) != 0 ? task.stacks().user() : task.stacks().kernel();
    return traces.record(stack, (int) (flags & SKIP_FIELD));
  }

  private static long output(RingBufferStore ring, byte[] data, long flags) {
    if ((flags & ~WAKEUP_FLAGS) != 0) {
      return -HelperError.EINVAL;
    }
    return ring.reserve(data.length)
        .map(
            record -> {
              System.arraycopy(data, 0, record.data(), 0, data.length);
              record.submit();
              return 0;
            })
        .orElse(-HelperError.EAGAIN);
  }

  private long reserve(RingBufferStore ring, long size, long flags) {
    if (flags != 0) {
      return 0;
    }
    return ring.reserve(size)
        .map(
            record -> {
              Region region = memory.map(Region.Kind.RECORD, ring.map().name(), record.data());
              reserved.put(region.address(), new Reserved(region, record));
              return region.address();
            })
        .orElse(0L);
  }

  private RingBufferStore.Reservation release(long address) {
    Reserved record = reserved.remove(address);
    if (record == null) {
      throw new VmFault(
          BAD_ARGUMENT, "passes 0x" + Long.toHexString(address) + " in r1, not a reserved record");
    }
    memory.hide(record.region());
    memory.freeAfterRun(record.region());
    return record.reservation();
  }

  private static long query(RingBufferStore ring, long what) {
    return switch ((int) what) {
      case 0 -> ring.available();
      case 1 -> ring.map().maxEntries();
      case 2 -> ring.consumerPosition();
      case 3 -> ring.producerPosition();
      default -> 0;
    };
  }

  private static long pair(int upper, int lower) {
    return (long) upper << 32 | Integer.toUnsignedLong(lower);
  }

  private static int size(long size, int argument) {
    if (size < 0 || size > MAX_SIZE) {
      throw new VmFault(
          BAD_ARGUMENT,
          "passes size " + size + " in r" + argument + "; sizes are 0 to " + MAX_SIZE);
    }
    return (int) size;
  }

  private static int positive(long size, int argument) {
    if (size == 0) {
      throw new VmFault(BAD_ARGUMENT, "passes size 0 in r" + argument + "; sizes start at 1");
    }
    return size(size, argument);
  }
}
