package dev.ply.target;

import dev.ply.ir.KernelSelector;
import dev.ply.type.Type;
import dev.ply.type.Type.KernelStruct;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The types of a kernel: its functions with their parameters, its structures with their members.
 */
public interface KernelTypes {
  /** No types: what there is without a kernel's type information. */
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

  /** Returns whether there is any type information. */
  boolean isKnown();

  /** Returns the function of that name, of the kernel itself; empty if its types are unknown. */
  Optional<Function> function(String name);

  /** Returns the types of a function where it is; empty if they are unknown. */
  default Optional<Function> function(KernelSelector.Function place) {
    return place.module().map(this::module).orElse(this).function(place.name());
  }

  /**
   * Returns the types of what the kernel hands to a raw tracepoint, by its bare name: those of the
   * function that calls its probes (include/linux/tracepoint.h), but for the first.
   */
  default Optional<Function> rawTracepoint(String event) {
    return function("__traceiter_" + event)
        .filter(caller -> !caller.parameters().isEmpty())
        .map(Function::withoutFirst);
  }

  /** Returns what a module has of its own; {@link #NONE} if that is unknown. */
  default KernelTypes module(String name) {
    return NONE;
  }

  /** Returns a member of a structure or union, those of its unnamed members included. */
  Optional<Member> member(KernelStruct struct, String name);

  /** Returns the names of all members that {@link #member} finds. */
  Stream<String> memberNames(KernelStruct struct);

  /** Returns the structure of that name, {@code task_struct}. */
  Optional<KernelStruct> struct(String tag);

  /**
   * Returns the value of the enumerator of that name, {@code TCP_ESTABLISHED}; of the first
   * enumeration that has one of the name.
   */
  OptionalLong enumerator(String name);

  /**
   * Returns the type by which the kernel knows the probes of a raw tracepoint, by its bare name
   * (include/trace/bpf_probe.h), and what it hands to them; its parameters have no names. Empty if
   * there is no such tracepoint.
   */
  Optional<Function> rawTracepointProbe(String event);

  /**
   * A function.
   *
   * @param id the number by which the kernel knows it
   * @param isVariadic whether more arguments may follow
   */
  record Function(int id, List<Parameter> parameters, Type result, boolean isVariadic) {
    public Function {
      parameters = List.copyOf(parameters);
    }

    /** Returns the same without its first parameter, of one word. */
    public Function withoutFirst() {
      return new Function(id, parameters.subList(1, parameters.size()), result, isVariadic);
    }
  }

  /** A parameter of a function; its name may be empty. */
  record Parameter(String name, Type type) {}

  /**
   * A member of a structure.
   *
   * @param offset bytes from the structure's start
   * @param bits how many bits it has, and of which a number: 0 for members of whole bytes
   * @param shift how far its lowest bit is from that of the byte at {@code offset}, in
   *     little-endian order
   */
  record Member(String name, Type type, int offset, int bits, int shift) {
    /** Returns whether the member shares bytes with others. */
    public boolean isBitField() {
      return bits != 0;
    }
  }
}
