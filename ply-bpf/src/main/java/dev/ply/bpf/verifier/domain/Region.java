package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.object.BpfMap;
import dev.ply.type.Type.KernelStruct;

/** The memory object that a pointer points into. */
public sealed interface Region {
  /** Returns the name of the region in messages. */
  String describe();

  /** Returns the short name of the region in listings. */
  String notation();

  /** A stack frame by depth, 0 for the program's; offsets are negative. */
  record Stack(int frame) implements Region {
    @Override
    public String describe() {
      return "the stack";
    }

    @Override
    public String notation() {
      return frame == 0 ? "fp" : "fp[" + frame + "]";
    }
  }

  /** The program's context: read-only memory of {@code size} bytes. */
  record Context(int size) implements Region {
    @Override
    public String describe() {
      return "the " + size + "-byte context";
    }

    @Override
    public String notation() {
      return "ctx";
    }
  }

  /** A map, which only helpers can access. */
  record Map(BpfMap map) implements Region {
    @Override
    public String describe() {
      return "the map \"" + map.name() + "\"";
    }

    @Override
    public String notation() {
      return "map(" + map.name() + ")";
    }
  }

  /** A map value. */
  record MapValue(BpfMap map) implements Region {
    @Override
    public String describe() {
      return "the " + map.valueSize() + "-byte value of map \"" + map.name() + "\"";
    }

    @Override
    public String notation() {
      return "value(" + map.name() + ")";
    }
  }

  /**
   * A reserved ring buffer record.
   *
   * @param size size in bytes
   * @param reference the ID of the reference, which must be released
   */
  record RingRecord(long size, int reference) implements Region {
    @Override
    public String describe() {
      return "the record of " + size + " bytes";
    }

    @Override
    public String notation() {
      return "record";
    }
  }

  /** A map key passed to a callback. */
  record MapKey(BpfMap map) implements Region {
    @Override
    public String describe() {
      return "the " + map.keySize() + "-byte key of map \"" + map.name() + "\"";
    }

    @Override
    public String notation() {
      return "key(" + map.name() + ")";
    }
  }

  /**
   * A function of the program, as a callback of helpers.
   *
   * @param entry the index of its entry
   */
  record Function(String label, int entry) implements Region {
    @Override
    public String describe() {
      return "the function " + label;
    }

    @Override
    public String notation() {
      return "function(" + label + ")";
    }
  }

  /**
   * A kernel structure whose members can be loaded.
   *
   * @param struct its type; with ID 0 if the members are unknown
   */
  record KernelObject(KernelStruct struct, Trust trust) implements Region {
    @Override
    public String describe() {
      return "the kernel's " + (struct.tag().isEmpty() ? "structure" : struct.tag());
    }

    @Override
    public String notation() {
      return "kernel(" + struct.tag() + ")";
    }
  }

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
  record KernelMemory() implements Region {
    @Override
    public String describe() {
      return "kernel memory";
    }

    @Override
    public String notation() {
      return "kernel";
    }
  }
}
