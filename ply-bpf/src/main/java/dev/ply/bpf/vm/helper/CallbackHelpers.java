package dev.ply.bpf.vm.helper;

import static dev.ply.bpf.vm.memory.VmFault.Kind.BAD_ARGUMENT;

import dev.ply.bpf.vm.map.HelperError;
import dev.ply.bpf.vm.map.MapStore;
import dev.ply.bpf.vm.map.MapTable;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import dev.ply.bpf.vm.memory.VmFault;
import java.util.ArrayList;
import java.util.List;

/** Helpers with callbacks: bpf_loop and bpf_for_each_map_elem. */
public final class CallbackHelpers {
  /** Base of function addresses; no memory is mapped there. */
  private static final long CODE = 0xffff_a000_0000_0000L;

  /** Maximum number of iterations of bpf_loop (BPF_MAX_LOOPS). */
  private static final long MAX_LOOPS = 1 << 23;

  /** Calls the function at a step with up to four arguments and returns its r0. */
  @FunctionalInterface
  public interface Caller {
    long call(int step, long... arguments);
  }

  private final MachineMemory memory;
  private final MapTable maps;

  CallbackHelpers(MachineMemory memory, MapTable maps) {
    this.memory = memory;
    this.maps = maps;
  }

  /** Returns the address of the function at a step, as registers hold it. */
  public static long addressOf(int step) {
    return CODE | step;
  }

  /** Calls the function in r2 up to r1 times, until it returns non-zero. */
  long loop(long[] r, Caller caller) {
    long count = r[1] & 0xffff_ffffL;
    int function = function(r[2]);
    long context = r[3];
    if (r[4] != 0) {
      return -HelperError.EINVAL;
    }
    if (count > MAX_LOOPS) {
      return -HelperError.E2BIG;
    }
    for (long i = 0; i < count; i++) {
      if (caller.call(function, i, context) != 0) {
        return i + 1;
      }
    }
    return count;
  }

  /** Calls the function in r2 for each entry of the map in r1, until it returns non-zero. */
  long forEach(long[] r, int cpu, Caller caller) {
    MapStore map = maps.at(MapStore.class, r[1], 1);
    long mapAddress = r[1];
    int function = function(r[2]);
    long context = r[3];
    if (r[4] != 0) {
      return -HelperError.EINVAL;
    }
    List<byte[]> keys = new ArrayList<>();
    map.forEach((key, values) -> keys.add(key));
    long called = 0;
    for (byte[] bytes : keys) {
      Region value = map.find(bytes, cpu);
      if (value != null) {
        Region key = memory.map(Region.Kind.MAP_KEY, map.map().name(), bytes);
        memory.freeAfterRun(key);
        called++;
        if (caller.call(function, mapAddress, key.address(), value.address(), context) != 0) {
          break;
        }
      }
    }
    return called;
  }

  private static int function(long address) {
    if ((address & ~0x7fff_ffffL) != CODE) {
      throw new VmFault(
          BAD_ARGUMENT,
          "passes 0x" + Long.toHexString(address) + " in r2, not a function of the program");
    }
    return (int) address;
  }
}
