package dev.ply.bpf.vm;

import static dev.ply.bpf.vm.VmFault.Kind.BAD_ARGUMENT;
import static dev.ply.bpf.vm.VmFault.Kind.UNRELEASED_RECORD;

import dev.ply.bpf.isa.Helper;
import dev.ply.type.AddressSpace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The kernel functions that programs call. */
final class HelperRuntime {
  private static final int COMM_SIZE = 16;
  private static final int MAX_SIZE = 1 << 29;
  private static final long WAKEUP_FLAGS = 0b11;
  private static final long SKIP_FIELD = 0xff;
  private static final long USER_STACK = 1 << 8;

  private record Reserved(Region region, RingBufferStore.Reservation reservation) {}

  private final MachineMemory memory;
  private final MapTable maps;
  private final Random random;
  private final Map<Long, Reserved> reserved = new LinkedHashMap<>();
  private Task task = Task.of(0, "");
  private ProbeReader probe;

  HelperRuntime(MachineMemory memory, MapTable maps, long randomSeed) {
    this.memory = memory;
    this.maps = maps;
    this.random = new Random(randomSeed);
    this.probe = new ProbeReader(memory, task.memory());
  }

  /** Makes {@code task} the running one. */
  void enter(Task task) {
    this.task = task;
    this.probe = new ProbeReader(memory, task.memory());
  }

  /** Faults if a reserved record was neither submitted nor discarded. */
  void requireAllReleased() {
    if (!reserved.isEmpty()) {
      throw new VmFault(
          UNRELEASED_RECORD,
          "ends the program while it has a reserved record ("
              + reserved.size()
              + " of them); submit or discard each on every path");
    }
  }

  /** Discards what a faulting program left reserved. */
  void abandon() {
    for (long address : List.copyOf(reserved.keySet())) {
      release(address).discard();
    }
  }

  /** Calls {@code helper} with r1 to r5 and returns what r0 holds then. */
  long call(Helper helper, long[] r) {
    return switch (helper) {
      case MAP_LOOKUP_ELEM -> {
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
      case KTIME_GET_NS, KTIME_GET_BOOT_NS -> task.nanos();
      case GET_PRANDOM_U32 -> Integer.toUnsignedLong(random.nextInt());
      case GET_SMP_PROCESSOR_ID -> task.cpu();
      case GET_CURRENT_PID_TGID -> pair(task.pid(), task.tid());
      case GET_CURRENT_UID_GID -> pair(task.gid(), task.uid());
      case GET_CURRENT_COMM -> comm(r[1], positive(r[2], 2));
      case GET_CURRENT_TASK -> task.address();
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
    };
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

  /** Leaves what stands behind the NUL, as kernels 6.0 and 6.1 do; others pad with NULs. */
  private long comm(long destination, int size) {
    byte[] name = task.comm().getBytes(StandardCharsets.UTF_8);
    int length = Math.min(name.length, Math.min(size, COMM_SIZE) - 1);
    memory.write(
        destination, size, Arrays.copyOf(Arrays.copyOf(name, length), length + 1), length + 1);
    return 0;
  }

  private long stackId(long mapAddress, long flags) {
    StackTraceStore traces = maps.at(StackTraceStore.class, mapAddress, 2);
    List<Long> stack = (flags & USER_STACK) != 0 ? task.userStack() : task.kernelStack();
    return traces.record(stack, (int) (flags & SKIP_FIELD));
  }

  private static long output(RingBufferStore ring, byte[] data, long flags) {
    if ((flags & ~WAKEUP_FLAGS) != 0) {
      return -Errno.EINVAL;
    }
    return ring.reserve(data.length)
        .map(
            record -> {
              System.arraycopy(data, 0, record.data(), 0, data.length);
              record.submit();
              return 0;
            })
        .orElse(-Errno.EAGAIN);
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
          BAD_ARGUMENT,
          "passes 0x" + Long.toHexString(address) + " in r1, not a record that is reserved");
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
          "passes the size " + size + " in r" + argument + "; sizes are 0 to " + MAX_SIZE);
    }
    return (int) size;
  }

  private static int positive(long size, int argument) {
    if (size == 0) {
      throw new VmFault(BAD_ARGUMENT, "passes the size 0 in r" + argument + ", not one above zero");
    }
    return size(size, argument);
  }
}
