package dev.ply.target;

import dev.ply.ir.KernelSelector;
import dev.ply.type.Type;
import dev.ply.type.Type.KernelStruct;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The types of a kernel, from BTF: functions with their parameters, structures with their members.
 */
public interface KernelTypes {
  /** No types, for kernels without BTF. */
  KernelTypes NONE =
      new KernelTypes() {
        @Override
        public boolean isKnown() {
          return false;
        }

        @Override
        public Optional<Function> function(String name) {
          return Optional.empty();
        }

        @Override
        public Optional<Member> member(KernelStruct struct, String name) {
          return Optional.empty();
        }

        @Override
        public Stream<String> memberNames(KernelStruct struct) {
          return Stream.empty();
        }

        @Override
        public Optional<KernelStruct> struct(String tag) {
          return Optional.empty();
        }

        @Override
        public OptionalLong enumerator(String name) {
          return OptionalLong.empty();
        }

        @Override
        public Optional<Function> rawTracepointProbe(String event) {
          return Optional.empty();
        }
      };

  /** Returns whether there is BTF. */
  boolean isKnown();

  /** Returns the function of this name in vmlinux; empty if its types are unknown. */
  Optional<Function> function(String name);

  /** Returns the types of a function in vmlinux or a module; empty if unknown. */
  default Optional<Function> function(KernelSelector.Function place) {
    return place.module().map(this::module).orElse(this).function(place.name());
  }

  /**
   * Returns the types of a raw tracepoint's arguments, by its bare name: the parameters of the
   * function that calls its probes (include/linux/tracepoint.h), without the first.
   */
  default Optional<Function> rawTracepoint(String event) {
    return function("__traceiter_" + event)
        .filter(caller -> !caller.parameters().isEmpty())
        .map(Function::withoutFirst);
  }

  /** Returns the types that a module adds; {@link #NONE} if unknown. */
  default KernelTypes module(String name) {
    return NONE;
  }

  /** Returns a member of a structure or union, including those of anonymous members. */
  Optional<Member> member(KernelStruct struct, String name);

  /** Returns the names of all members that {@link #member} finds. */
  Stream<String> memberNames(KernelStruct struct);

  /** Returns the kernel's own types, without those defined by a script. */
  default KernelTypes kernel() {
    return this;
  }

  /** Returns the type that a typedef names, {@code pid_t}. */
  default Optional<Type> typedef(String name) {
    return Optional.empty();
  }

  /** Returns the structure of this tag, {@code task_struct}. */
  Optional<KernelStruct> struct(String tag);

  /** Returns the value of an enumerator, {@code TCP_ESTABLISHED}; the first one of this name. */
  OptionalLong enumerator(String name);

  /**
   * Returns the type of a raw tracepoint's probes, by its bare name (include/trace/bpf_probe.h),
   * with its parameters, which have no names. Empty if the tracepoint does not exist.
   */
  Optional<Function> rawTracepointProbe(String event);

  /**
   * A function.
   *
   * @param id its BTF type id
   * @param isVariadic whether it is variadic
   */
  record Function(int id, List<Parameter> parameters, Type result, boolean isVariadic) {
    public Function {
      parameters = List.copyOf(parameters);
    }

    /** Returns this function without its first parameter, an 8-byte word. */
    public Function withoutFirst() {
      return new Function(id, parameters.subList(1, parameters.size()), result, isVariadic);
    }
  }

  /** A parameter of a function; its name can be empty. */
  record Parameter(String name, Type type) {}

  /**
   * A member of a structure.
   *
   * @param offset bytes from the structure's start
   * @param bits the width of a bit-field; 0 for other members
   * @param shift the distance of its lowest bit from that of the byte at {@code offset}, in
   *     little-endian order
   */
  record Member(String name, Type type, int offset, int bits, int shift) {
    /** Returns whether the member is a bit-field. */
    public boolean isBitField() {
      return bits != 0;
    }

    /** Returns this member of a structure that starts {@code bytes} earlier. */
    public Member movedBy(int bytes) {
      return new Member(name, type, offset + bytes, bits, shift);
    }
  }
}
