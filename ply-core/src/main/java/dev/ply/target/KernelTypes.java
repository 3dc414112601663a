package dev.ply.target;

import dev.ply.selector.KernelSelector;
import dev.ply.type.Enumerators;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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

  /** {@return whether there is BTF} */
  boolean isKnown();

  /**
   * {@return the function of this name in vmlinux; empty if its types are unknown}
   *
   * @param name as in BTF
   */
  Optional<Function> function(String name);

  /** {@return the names of all functions that {@link #function(String)} finds} */
  default Set<String> functionNames() {
    return Set.of();
  }

  /**
   * {@return the types of a function in vmlinux or a module; empty if unknown}
   *
   * @param selector the function and its module
   */
  default Optional<Function> function(KernelSelector.Function selector) {
    return selector.module().map(this::module).orElse(this).function(selector.name());
  }

  /**
   * {@return the types of a raw tracepoint's arguments, by its bare name: the parameters of the
   * function that calls its probes (include/linux/tracepoint.h), without the first}
   *
   * @param event without category
   */
  default Optional<Function> rawTracepoint(String event) {
    return function("__traceiter_" + event)
        .filter(caller -> !caller.parameters().isEmpty())
        .map(Function::withoutFirst);
  }

  /**
   * {@return the types that a module adds; {@link #NONE} if unknown}
   *
   * @param name of a module that is loaded
   */
  default KernelTypes module(String name) {
    return NONE;
  }

  /**
   * {@return a member of a structure or union, including those of anonymous members}
   *
   * @param struct a structure or union of this kernel
   * @param name of a member
   */
  Optional<Member> member(KernelStruct struct, String name);

  /**
   * {@return the names of all members that {@link #member} finds}
   *
   * @param struct a structure or union of this kernel
   */
  Stream<String> memberNames(KernelStruct struct);

  /**
   * {@return the C definition of a structure, union or enumeration by its keyword and tag, {@code
   * struct list_head}, with its trailing newline; empty if unknown}
   *
   * @param tagged keyword and tag, one space between them
   */
  default Optional<String> definition(String tagged) {
    return Optional.empty();
  }

  /** {@return keyword and tag of all structures, unions and enumerations} */
  default List<String> definitions() {
    return List.of();
  }

  /**
   * {@return the C declarations of a function's parameters, {@code struct file * file}, followed by
   * the type of its result}
   *
   * @param function of this kernel
   */
  default List<String> declarations(Function function) {
    return Stream.concat(
            function.parameters().stream()
                .map(parameter -> parameter.type().name() + " " + parameter.name()),
            Stream.of(function.result().name()))
        .toList();
  }

  /** {@return the kernel's own types, without those defined by a script} */
  default KernelTypes kernel() {
    return this;
  }

  /**
   * {@return the type that a typedef names, {@code pid_t}}
   *
   * @param name of a typedef
   */
  default Optional<Type> typedef(String name) {
    return Optional.empty();
  }

  /**
   * {@return the type that a script's own typedef names; it comes before types that are built in}
   *
   * @param name of a typedef
   */
  default Optional<Type> defined(String name) {
    return Optional.empty();
  }

  /**
   * {@return the structure or union of this tag, {@code task_struct}}
   *
   * @param tag without keyword
   */
  Optional<KernelStruct> struct(String tag);

  /**
   * {@return the enumeration of this tag, {@code skb_drop_reason}}
   *
   * @param tag without keyword
   */
  default Optional<IntType> enumeration(String tag) {
    return Optional.empty();
  }

  /**
   * {@return the enumeration that a script defines with an enumerator of this name; constants of
   * the kernel are plain numbers}
   *
   * @param name of an enumerator
   */
  default Optional<Enumerators> enumerators(String name) {
    return Optional.empty();
  }

  /**
   * {@return the value of an enumerator, {@code TCP_ESTABLISHED}; the first one of this name}
   *
   * @param name of an enumerator
   */
  OptionalLong enumerator(String name);

  /**
   * {@return the type of a raw tracepoint's probes, by its bare name (include/trace/bpf_probe.h),
   * with its parameters, which have no names} Empty if the tracepoint does not exist.
   *
   * @param event without category
   */
  Optional<Function> rawTracepointProbe(String event);

  /**
   * A function.
   *
   * @param id its BTF type id
   * @param parameters in the order of the declaration
   * @param result void if it has none
   * @param isVariadic whether it is variadic
   */
  record Function(int id, List<Parameter> parameters, Type result, boolean isVariadic) {
    /** Copies the parameters. */
    public Function {
      parameters = List.copyOf(parameters);
    }

    /** {@return this function without its first parameter, an 8-byte word} */
    public Function withoutFirst() {
      return new Function(id, parameters.subList(1, parameters.size()), result, isVariadic);
    }
  }

  /**
   * A parameter of a function; its name can be empty.
   *
   * @param name as declared
   * @param type as declared; structures passed by value included
   */
  record Parameter(String name, Type type) {}

  /**
   * A member of a structure.
   *
   * @param name as declared; empty if anonymous
   * @param type as declared; of a bit-field, that of its storage
   * @param offset bytes from the structure's start
   * @param bits the width of a bit-field; 0 for other members
   * @param shift the bits before its first one in the byte at {@code offset}: lower ones in
   *     little-endian memory, higher ones in big-endian memory
   */
  record Member(String name, Type type, int offset, int bits, int shift) {
    /** {@return whether the member is a bit-field} */
    public boolean isBitField() {
      return bits != 0;
    }

    /**
     * {@return this member of a structure that starts {@code bytes} earlier}
     *
     * @param bytes not negative
     */
    public Member movedBy(int bytes) {
      return new Member(name, type, offset + bytes, bits, shift);
    }

    /**
     * {@return the bits above a bit-field in a 64-bit word into which its bytes have been loaded}
     *
     * @param loaded the number of bytes loaded from {@code offset}, zero-extended: 1 to 8
     * @param order the byte order of the memory, in which bits are counted, too
     */
    public int bitsAbove(int loaded, ByteOrder order) {
      return order == ByteOrder.LITTLE_ENDIAN
          ? Long.SIZE - shift - bits
          : Long.SIZE - loaded * Byte.SIZE + shift;
    }
  }
}
