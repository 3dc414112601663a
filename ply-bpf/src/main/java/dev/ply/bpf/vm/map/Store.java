package dev.ply.bpf.vm.map;

import dev.ply.bpf.object.BpfMap;

/** The contents of a map in the VM. */
public sealed interface Store
    permits MapStore, MapOfMapsStore, RingBufferStore, StackTraceStore, PerfEventStore {
  /** Returns the definition of the map. */
  BpfMap map();
}
