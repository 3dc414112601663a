package dev.ply.bpf.vm;

import dev.ply.bpf.object.BpfMap;

/** What a machine keeps for one map. */
sealed interface Store permits MapStore, RingBufferStore, StackTraceStore, PerfEventStore {
  /** Returns what the map was made from. */
  BpfMap map();
}
