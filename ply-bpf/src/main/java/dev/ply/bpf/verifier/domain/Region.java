package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.object.BpfMap;
import dev.ply.type.Type.KernelStruct;

/** The memory object that a pointer points into. */
public sealed interface Region {
  /** A stack frame by depth, 0 for the program's; offsets are negative. */
  record Stack(int frame) implements Region {}

  /** The program's context: read-only memory of {@code size} bytes. */
  record Context(int size) implements Region {}

  /** A map, which only helpers can access. */
  record Map(BpfMap map) implements Region {}

  /** A map value. */
  record MapValue(BpfMap map) implements Region {}

  /**
   * A reserved ring buffer record.
   *
   * @param size size in bytes
   * @param reference the ID of the reference, which must be released
   */
  record RingRecord(long size, int reference) implements Region {}

  /** A map key passed to a callback. */
  record MapKey(BpfMap map) implements Region {}

  /**
   * A function of the program, as a callback of helpers.
   *
   * @param entry the index of its entry
   */
  record Function(String label, int entry) implements Region {}

  /**
   * A kernel structure whose members can be loaded.
   *
   * @param struct its type; with ID 0 if the members are unknown
   */
  record KernelObject(KernelStruct struct, Trust trust) implements Region {}

  /** The permitted uses of a pointer to a kernel structure. */
  enum Trust {
    /** Valid while the program runs (PTR_TRUSTED). */
    TRUSTED,
    /** Valid under RCU, which programs hold (MEM_RCU). */
    RCU,
    /** Loads and helper calls allowed, without trust: the rules before 6.2. */
    PLAIN,
    /** Loads only (PTR_UNTRUSTED). */
    UNTRUSTED,
    /** In user memory (MEM_USER). */
    USER,
    /** A per-CPU offset (MEM_PERCPU). */
    PER_CPU
  }

  /** Untyped kernel memory. */
  record KernelMemory() implements Region {}

  /** Returns the name of the region in messages. */
  default String describe() {
    if (this instanceof Stack) {
      return "the stack";
    } else if (this instanceof Context context) {
      return "the " + context.size() + "-byte context";
    } else if (this instanceof Map map) {
      return "the map \"" + map.map().name() + "\"";
    } else if (this instanceof MapValue value) {
      return "the " + value.map().valueSize() + "-byte value of map \"" + value.map().name() + "\"";
    } else if (this instanceof RingRecord record) {
      return "the record of " + record.size() + " bytes";
    }
    if (this instanceof MapKey key) {
      return "the " + key.map().keySize() + "-byte key of map \"" + key.map().name() + "\"";
    } else if (this instanceof Function function) {
      return "the function " + function.label();
    }
    if (this instanceof KernelObject object) {
      String tag = object.struct().tag();
      return "the kernel's " + (tag.isEmpty() ? "structure" : tag);
    }
    return "kernel memory";
  }
}
