package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Register;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.Region.Standing;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.target.KernelTypes;
import dev.ply.target.TypedLoad;
import dev.ply.target.TypedLoad.Mark;
import dev.ply.target.TypedLoad.ObjectPointer;
import dev.ply.type.Type.KernelStruct;
import java.util.Optional;

/**
 * What programs load from memory whose types the kernel knows: its structures, and the arguments
 * and the result of its functions (check_ptr_to_btf_access in kernel/bpf/verifier.c, btf_ctx_access
 * in kernel/bpf/btf.c).
 */
final class TypedMemory {
  private final BpfProgram program;
  private final KernelTypes types;

  TypedMemory(BpfProgram program, KernelTypes types) {
    this.program = program;
    this.types = types;
  }

  /** Returns a structure that the kernel hands over, of that name. */
  Region.KernelObject object(String tag) {
    KernelStruct struct = types.struct(tag).orElseGet(() -> new KernelStruct(tag, 0, 0));
    return new Region.KernelObject(struct, Standing.TRUSTED);
  }

  /** Returns why a load from a structure is refused, or nothing if it is not. */
  Optional<String> check(Register base, Region.KernelObject object, long offset, int size) {
    if (object.standing() == Standing.USER) {
      return Optional.of(
          base + " is " + name(object) + " in the process's memory; read it with probe_read_user");
    } else if (object.standing() == Standing.PER_CPU) {
      return Optional.of(
          base + " is " + name(object) + " of each CPU, an offset that belongs to no one of them");
    }
    return load(object, offset, size) instanceof TypedLoad.Refused refused
        ? Optional.of(base + " is " + object.describe() + ": " + refused.reason())
        : Optional.empty();
  }

  private static String name(Region.KernelObject object) {
    return "a " + object.struct().name();
  }

  /** Returns why a load from the context is refused for its type, or nothing if it is not. */
  Optional<String> checkWord(int offset, int size) {
    if (program.words().isEmpty()) {
      return Optional.empty();
    }
    int index = offset / Long.BYTES;
    int result = program.words().size() - 1;
    if (index > result || (index == result && program.type() != ProgramType.FEXIT)) {
      return Optional.of("the function has only " + result + " words of arguments");
    }
    String word = index == result ? "the result" : "argument word " + index;
    TypedLoad type = program.words().get(index);
    if (type instanceof TypedLoad.Refused refused) {
      return Optional.of(
          word
              + " is "
              + refused.reason()
              + ", which the kernel lets no program load; copy it with probe_read_kernel");
    }
    boolean isAddress = type instanceof ObjectPointer || type instanceof TypedLoad.PlainAddress;
    return isAddress && size != Long.BYTES
        ? Optional.of(word + " is an address, which is loaded whole, 8 bytes at once")
        : Optional.empty();
  }

  /** Returns the state after a load, unless types say nothing of what was loaded. */
  Optional<AbstractState> load(
      AbstractState state, Register to, Pointer from, int offset, int size) {
    if (from.region() instanceof Region.Context) {
      int index = offset / Long.BYTES;
      return offset >= 0 && size == Long.BYTES && index < program.words().size()
          ? with(state, to, program.words().get(index), Standing.PLAIN)
          : Optional.empty();
    }
    if (from.region() instanceof Region.KernelObject object) {
      return from.constantOffset()
          .flatMap(
              distance ->
                  with(state, to, load(object, distance + offset, size), object.standing()));
    }
    return Optional.empty();
  }

  private TypedLoad load(Region.KernelObject object, long offset, int size) {
    return object.struct().id() == 0 || offset < 0
        ? new TypedLoad.PlainNumber()
        : types.load(object.struct(), offset, size);
  }

  private static Optional<AbstractState> with(
      AbstractState state, Register to, TypedLoad loaded, Standing from) {
    if (loaded instanceof TypedLoad.OtherPointer) {
      return Optional.of(state.with(to, Pointer.to(new Region.KernelMemory())));
    }
    if (!(loaded instanceof ObjectPointer pointer)) {
      return Optional.empty();
    }
    Region region = new Region.KernelObject(pointer.target(), standing(from, pointer.mark()));
    if (!mayBeNull(from, pointer.mark())) {
      return Optional.of(state.with(to, Pointer.to(region)));
    }
    AbstractState named = state.withFreshId();
    return Optional.of(named.with(to, new Pointer(region, 0, Scalar.constant(0), named.lastId())));
  }

  private static boolean vouchesFor(Standing from) {
    return from == Standing.TRUSTED || from == Standing.RCU;
  }

  private static boolean mayBeNull(Standing from, Mark mark) {
    return switch (mark) {
      case NULLABLE -> true;
      case RCU, SAFE_RCU_OR_NULL, SAFE_OR_NULL -> vouchesFor(from);
      case NONE, USER, PER_CPU, SAFE_RCU, SAFE, IN_UNION -> false;
    };
  }

  /** Only members that are listed are as good as what they are loaded from. */
  private static Standing standing(Standing from, Mark mark) {
    if (from == Standing.UNTRUSTED) {
      return Standing.UNTRUSTED;
    }
    return switch (mark) {
      case USER -> Standing.USER;
      case PER_CPU -> Standing.PER_CPU;
      case IN_UNION -> Standing.UNTRUSTED;
      case NONE, NULLABLE -> Standing.PLAIN;
      case RCU, SAFE_RCU, SAFE_RCU_OR_NULL -> vouchesFor(from) ? Standing.RCU : Standing.PLAIN;
      case SAFE, SAFE_OR_NULL -> vouchesFor(from) ? Standing.TRUSTED : Standing.PLAIN;
    };
  }
}
