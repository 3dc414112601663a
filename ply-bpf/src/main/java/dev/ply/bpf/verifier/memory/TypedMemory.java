package dev.ply.bpf.verifier.memory;

import dev.ply.bpf.btf.TypedLoad;
import dev.ply.bpf.btf.TypedLoad.Mark;
import dev.ply.bpf.btf.TypedLoad.ObjectPointer;
import dev.ply.bpf.btf.VerifierTypes;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.Region.Trust;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type.KernelStruct;
import java.util.Optional;

/**
 * Loads from typed kernel memory: structures, and the arguments and result of functions.
 *
 * <p>Follows check_ptr_to_btf_access in kernel/bpf/verifier.c and btf_ctx_access in
 * kernel/bpf/btf.c.
 */
public final class TypedMemory {
  private final BpfProgram program;
  private final KernelTypes types;
  private final VerifierTypes loads;

  /** Checks loads of a program from structures of these types. */
  public TypedMemory(BpfProgram program, KernelTypes types) {
    this.program = program;
    this.types = types.kernel();
    this.loads = VerifierTypes.of(types);
  }

  /** Returns a trusted structure with the given tag. */
  public Region.KernelObject object(String tag) {
    KernelStruct struct = types.struct(tag).orElseGet(() -> new KernelStruct(tag, 0, 0));
    return new Region.KernelObject(struct, Trust.TRUSTED);
  }

  /** Returns whether a structure is of this type, or has a structure of this type at an offset. */
  public boolean isAt(KernelStruct struct, long offset, String tag) {
    if (offset == 0 && struct.tag().equals(tag)) {
      return true;
    }
    return types
        .memberNames(struct)
        .flatMap(name -> types.member(struct, name).stream())
        .anyMatch(
            member ->
                member.type() instanceof KernelStruct inner
                    && offset >= member.offset()
                    && offset < member.offset() + inner.size()
                    && isAt(inner, offset - member.offset(), tag));
  }

  /** Returns why a load from a structure is rejected, or empty. */
  public Optional<String> check(Register base, Region.KernelObject object, long offset, int size) {
    if (object.trust() == Trust.USER) {
      return Optional.of(
          base + " is " + name(object) + " in user memory; read it with probe_read_user");
    } else if (object.trust() == Trust.PER_CPU) {
      return Optional.of(
          base + " is " + name(object) + " of each CPU, an offset to be added to a per-CPU base");
    }
    return load(object, offset, size) instanceof TypedLoad.Refused refused
        ? Optional.of(base + " is " + object.describe() + ": " + refused.reason())
        : Optional.empty();
  }

  private static String name(Region.KernelObject object) {
    return "a " + object.struct().name();
  }

  /** Returns why the type of a context word rejects a load, or empty. */
  public Optional<String> checkArgumentWord(int offset, int size) {
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
              + ", which programs must not load; copy it with probe_read_kernel");
    }
    boolean isAddress = type instanceof ObjectPointer || type instanceof TypedLoad.PlainAddress;
    return isAddress && size != Long.BYTES
        ? Optional.of(word + " is an address, which must be loaded whole (8 bytes)")
        : Optional.empty();
  }

  /** Returns the state after a load of a typed value, or empty if the type says nothing. */
  public Optional<AbstractState> load(
      AbstractState state, Register to, Pointer from, int offset, int size) {
    if (from.region() instanceof Region.Context) {
      int index = offset / Long.BYTES;
      return offset >= 0 && size == Long.BYTES && index < program.words().size()
          ? with(state, to, word(index), trustOfContext())
          : Optional.empty();
    }
    if (from.region() instanceof Region.KernelObject object) {
      return from.constantOffset()
          .flatMap(
              distance -> with(state, to, load(object, distance + offset, size), object.trust()));
    }
    return Optional.empty();
  }

  /** Since Linux 6.2 what a tracepoint hands over is trusted, and less is in its members. */
  private Trust trustOfContext() {
    return program.type() == ProgramType.TYPED_TRACEPOINT ? Trust.TRUSTED : Trust.PLAIN;
  }

  private TypedLoad word(int index) {
    TypedLoad word = program.words().get(index);
    if (trustOfContext() == Trust.TRUSTED && word instanceof ObjectPointer pointer) {
      return switch (pointer.mark()) {
        case NONE -> new ObjectPointer(pointer.target(), Mark.SAFE);
        case NULLABLE -> new ObjectPointer(pointer.target(), Mark.SAFE_OR_NULL);
        default -> word;
      };
    }
    return word;
  }

  private TypedLoad load(Region.KernelObject object, long offset, int size) {
    return object.struct().id() == 0 || offset < 0
        ? new TypedLoad.PlainNumber()
        : loads.load(object.struct(), offset, size);
  }

  private static Optional<AbstractState> with(
      AbstractState state, Register to, TypedLoad loaded, Trust from) {
    if (loaded instanceof TypedLoad.OtherPointer) {
      return Optional.of(state.with(to, Pointer.to(new Region.KernelMemory())));
    }
    if (!(loaded instanceof ObjectPointer pointer)) {
      return Optional.empty();
    }
    Region region = new Region.KernelObject(pointer.target(), trust(from, pointer.mark()));
    if (!mayBeNull(from, pointer.mark())) {
      return Optional.of(state.with(to, Pointer.to(region)));
    }
    AbstractState named = state.withFreshId();
    return Optional.of(named.with(to, new Pointer(region, 0, Scalar.constant(0), named.lastId())));
  }

  private static boolean isTrusted(Trust from) {
    return from == Trust.TRUSTED || from == Trust.RCU;
  }

  private static boolean mayBeNull(Trust from, Mark mark) {
    return switch (mark) {
      case NULLABLE -> true;
      case RCU, SAFE_RCU_OR_NULL, SAFE_OR_NULL -> isTrusted(from);
      case NONE, USER, PER_CPU, SAFE_RCU, SAFE, IN_UNION -> false;
    };
  }

  /** Only members on the kernel's allow-lists inherit the trust of their structure. */
  private static Trust trust(Trust from, Mark mark) {
    if (from == Trust.UNTRUSTED) {
      return Trust.UNTRUSTED;
    }
    return switch (mark) {
      case USER -> Trust.USER;
      case PER_CPU -> Trust.PER_CPU;
      case IN_UNION -> Trust.UNTRUSTED;
      case NONE, NULLABLE -> Trust.PLAIN;
      case RCU, SAFE_RCU, SAFE_RCU_OR_NULL -> isTrusted(from) ? Trust.RCU : Trust.PLAIN;
      case SAFE, SAFE_OR_NULL -> isTrusted(from) ? Trust.TRUSTED : Trust.PLAIN;
    };
  }
}
