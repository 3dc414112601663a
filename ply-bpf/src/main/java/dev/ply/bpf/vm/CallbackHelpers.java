package dev.ply.bpf.vm;

import static dev.ply.bpf.vm.VmFault.Kind.BAD_ARGUMENT;

import java.util.ArrayList;
import java.util.List;

/** The helpers that call functions of the program. */
final class CallbackHelpers {
  /** Where functions have their addresses; nothing can be read there. */
  private static final long CODE = 0xffff_a000_0000_0000L;

  /** The most turns of bpf_loop (BPF_MAX_LOOPS in the kernel). */
  private static final long MOST_TURNS = 1 << 23;

  /** Runs the function at a step with up to four arguments and returns its r0. */
  @FunctionalInterface
  interface Caller {
    long call(int step, long... arguments);
  }

  private final MachineMemory memory;
  private final MapTable maps;

  CallbackHelpers(MachineMemory memory, MapTable maps) {
    this.memory = memory;
    this.maps = maps;
  }

  /** Returns the number that stands for the function at a step in registers. */
  static long addressOf(int step) {
    return CODE | step;
  }

  /** Calls the function in r2 as often as r1 says, until it returns another number than 0. */
  long loop(long[] r, Caller caller) {
    long turns = r[1] & 0xffff_ffffL;
    int function = function(r[2]);
    long context = r[3];
    if (r[4] != 0) {
      return -HelperError.EINVAL;
    }
    if (turns > MOST_TURNS) {
      return -HelperError.E2BIG;
    }
    for (long turn = 0; turn < turns; turn++) {
      if (caller.call(function, turn, context) != 0) {
        return turn + 1;
      }
    }
    return turns;
  }

  /** Calls the function in r2 for each entry of the map in r1, until it returns not 0. */
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
