package dev.ply.bpf.verifier.rule;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.HelperSignature.Parameter;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.Region.Trust;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.bpf.verifier.flow.CheckStructure;
import dev.ply.bpf.verifier.memory.Access;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks the arguments of helper calls. */
final class CheckArgument {
  private static final Set<MapType> TABLES =
      EnumSet.of(
          MapType.HASH,
          MapType.ARRAY,
          MapType.PERCPU_HASH,
          MapType.PERCPU_ARRAY,
          MapType.LRU_HASH,
          MapType.LRU_PERCPU_HASH);

  private static final Set<MapType> LOOKED_UP =
      EnumSet.of(MapType.ARRAY_OF_MAPS, TABLES.toArray(new MapType[0]));

  private static final Set<MapType> PER_CPU =
      EnumSet.of(MapType.PERCPU_HASH, MapType.PERCPU_ARRAY, MapType.LRU_PERCPU_HASH);

  private final CheckMemory memory;

  CheckArgument(CheckMemory memory) {
    this.memory = memory;
  }

  /** Returns why argument {@code position}, from 1, is invalid, or empty. */
  Optional<String> check(AbstractState state, Helper helper, int position) {
    Register register = Register.argument(position);
    RegisterState content = state.register(register);
    if (content instanceof RegisterState.Assumed) {
      return Optional.empty();
    }
    List<Parameter> parameters = helper.signature().parameters();
    return switch (parameters.get(position - 1)) {
      case MAP ->
          checkMap(
                  helper,
                  register,
                  content,
                  helper == Helper.MAP_LOOKUP_ELEM ? LOOKED_UP : TABLES,
                  "a hash or array map")
              .or(() -> checkWritable(helper, content));
      case RING_BUFFER ->
          checkMap(helper, register, content, EnumSet.of(MapType.RINGBUF), "a ring buffer");
      case PER_CPU_MAP -> checkMap(helper, register, content, PER_CPU, "a per-CPU map");
      case PERF_ARRAY ->
          checkMap(
              helper,
              register,
              content,
              EnumSet.of(MapType.PERF_EVENT_ARRAY),
              "a perf event array");
      case STACK_MAP ->
          checkMap(helper, register, content, EnumSet.of(MapType.STACK_TRACE), "a stack trace map");
      case MAP_KEY ->
          mapOf(state)
              .flatMap(m -> memory.check(state, Access.HELPER_READ, register, 0, m.keySize()));
      case MAP_VALUE ->
          mapOf(state)
              .flatMap(m -> memory.check(state, Access.HELPER_READ, register, 0, m.valueSize()));
      case CONTEXT -> checkContext(helper, register, content);
      case READABLE_MEMORY -> checkSized(state, position, Access.HELPER_READ);
      case READABLE_MEMORY_OR_NULL ->
          isNull(content)
              ? checkNoMemory(state, position)
              : checkSized(state, position, Access.HELPER_READ);
      case WRITABLE_MEMORY -> checkSized(state, position, Access.HELPER_WRITE);
      case WRITABLE_MEMORY_OR_NULL ->
          isNull(content)
              ? checkNoMemory(state, position)
              : checkSized(state, position, Access.HELPER_PARTIAL_WRITE);
      case WRITABLE_LONG -> checkLong(state, register);
      case CONSTANT_STRING -> CheckString.check(state, helper, register);
      case TASK -> checkObject(helper, register, content, "task_struct");
      case PATH -> checkObject(helper, register, content, "path");
      case SOCKET -> checkObject(helper, register, content, "sock_common");
      case PACKET -> checkObject(helper, register, content, "sk_buff");
      case CALLBACK -> checkCallback(state, helper, register, content);
      case CALLBACK_CONTEXT ->
          isNull(content) || isStack(content)
              ? Optional.empty()
              : unfit(helper, register, "a pointer to the stack or 0", content);
      case SIZE -> checkSize(helper, register, content, 1);
      case SIZE_OR_ZERO -> checkSize(helper, register, content, 0);
      case CONSTANT -> checkConstant(helper, register, content);
      case RECORD -> checkRecord(helper, register, content);
      case ANYTHING, OPTIONAL -> Optional.empty();
    };
  }

  private static Optional<String> checkMap(
      Helper helper, Register register, RegisterState content, Set<MapType> types, String wanted) {
    if (content instanceof Pointer pointer && pointer.region() instanceof Region.Map map) {
      if (pointer.mayBeNull()) {
        return Optional.of(
            helper.kernelName()
                + " takes "
                + wanted
                + " in "
                + register
                + ", which may be null; compare it with 0 first");
      }
      return types.contains(map.map().type())
          ? Optional.empty()
          : Optional.of(
              helper.kernelName()
                  + " takes "
                  + wanted
                  + ", but the map \""
                  + map.map().name()
                  + "\" is of type "
                  + map.map().type());
    }
    return unfit(helper, register, wanted, content);
  }

  private static Optional<String> checkWritable(Helper helper, RegisterState content) {
    boolean writes = helper == Helper.MAP_UPDATE_ELEM || helper == Helper.MAP_DELETE_ELEM;
    return writes
            && content instanceof Pointer pointer
            && pointer.region() instanceof Region.Map map
            && map.map().content().isPresent()
        ? Optional.of("map \"" + map.map().name() + "\" is frozen")
        : Optional.empty();
  }

  /** Null is valid for zero bytes. */
  private static Optional<String> checkNoMemory(AbstractState state, int position) {
    Register size = Register.argument(position + 1);
    return state.register(size) instanceof Scalar number && number.range().umax() != 0
        ? Optional.of(
            Register.argument(position) + " is null, but the size in " + size + " may be above 0")
        : Optional.empty();
  }

  private static Optional<String> checkCallback(
      AbstractState state, Helper helper, Register register, RegisterState content) {
    if (!(content instanceof Pointer pointer) || !(pointer.region() instanceof Region.Function)) {
      return unfit(helper, register, "a function of the program", content);
    }
    return CheckStructure.canEnter(state)
        ? Optional.empty()
        : Optional.of("calls nest more than " + CheckStructure.MAX_FRAMES + " frames deep");
  }

  private static boolean isNull(RegisterState content) {
    return content instanceof Scalar number && number.constantValue().equals(Optional.of(0L));
  }

  private static boolean isStack(RegisterState content) {
    return content instanceof Pointer pointer && pointer.region() instanceof Region.Stack;
  }

  private Optional<String> checkLong(AbstractState state, Register register) {
    Optional<String> problem = memory.check(state, Access.HELPER_WRITE, register, 0, Long.BYTES);
    return problem.isEmpty()
            && state.register(register) instanceof Pointer pointer
            && !pointer.constantOffset().filter(o -> o % Long.BYTES == 0).isPresent()
        ? Optional.of("the 8 bytes at " + register + " are not aligned to their size")
        : problem;
  }

  /** Follows btf_struct_ids_match in btf.c: a structure may have the wanted one at the offset. */
  private Optional<String> checkObject(
      Helper helper, Register register, RegisterState content, String tag) {
    boolean fits =
        content instanceof Pointer pointer
            && pointer.region() instanceof Region.KernelObject object
            && isTrusted(object.trust(), tag)
            && !pointer.mayBeNull()
            && pointer
                .constantOffset()
                .filter(offset -> memory.isAt(object.struct(), offset, tag))
                .isPresent();
    return fits ? Optional.empty() : unfit(helper, register, "a trusted " + tag, content);
  }

  /** For sockets, RCU is not enough (btf_id_sock_common_types in verifier.c). */
  private static boolean isTrusted(Trust trust, String tag) {
    return trust == Trust.TRUSTED
        || trust == Trust.PLAIN
        || (trust == Trust.RCU && !tag.equals("sock_common"));
  }

  private static Optional<String> checkContext(
      Helper helper, Register register, RegisterState content) {
    return content instanceof Pointer pointer
            && pointer.region() instanceof Region.Context
            && pointer.constantOffset().equals(Optional.of(0L))
        ? Optional.empty()
        : unfit(helper, register, "the context", content);
  }

  private static Optional<String> checkRecord(
      Helper helper, Register register, RegisterState content) {
    if (content instanceof Pointer pointer && pointer.region() instanceof Region.RingRecord) {
      if (pointer.mayBeNull()) {
        return Optional.of(register + " may be null: ringbuf_reserve found no room; test it first");
      }
      return pointer.constantOffset().equals(Optional.of(0L))
          ? Optional.empty()
          : Optional.of(
              helper.kernelName() + " takes the start of the record, not an address inside it");
    }
    return unfit(helper, register, "a reserved record", content);
  }

  private Optional<String> checkSized(AbstractState state, int position, Access access) {
    Register register = Register.argument(position);
    if (!(state.register(Register.argument(position + 1)) instanceof Scalar size)
        || size.range().smin() < 0
        || size.range().umax() >= CheckMemory.OFFSET_LIMIT) {
      // An invalid size is reported separately; check what does not depend on it.
      return state.register(register) instanceof Scalar
          ? memory.check(state, access, register, 0, 1)
          : Optional.empty();
    }
    Access actual =
        access == Access.HELPER_WRITE && !size.isConstant() ? Access.HELPER_PARTIAL_WRITE : access;
    return memory.check(state, actual, register, 0, size.range().umax());
  }

  private static Optional<String> checkSize(
      Helper helper, Register register, RegisterState content, int least) {
    if (!(content instanceof Scalar size)) {
      return unfit(helper, register, "a size", content);
    }
    if (size.range().smin() < 0) {
      return Optional.of(
          "the size in "
              + register
              + " for "
              + helper.kernelName()
              + " may be negative; compare it or mask it first");
    }
    if (size.range().umax() >= CheckMemory.OFFSET_LIMIT) {
      return Optional.of(
          "the size in "
              + register
              + " for "
              + helper.kernelName()
              + " is not bounded; compare it or mask it first");
    }
    return size.range().umin() < least
        ? Optional.of("the size in " + register + " for " + helper.kernelName() + " may be zero")
        : Optional.empty();
  }

  private static Optional<String> checkConstant(
      Helper helper, Register register, RegisterState content) {
    if (!(content instanceof Scalar number) || !number.isConstant()) {
      return unfit(helper, register, "a constant", content);
    }
    return number.range().umax() >= CheckMemory.OFFSET_LIMIT || number.range().smin() < 0
        ? Optional.of("the size in " + register + " for " + helper.kernelName() + " is too large")
        : Optional.empty();
  }

  private static Optional<BpfMap> mapOf(AbstractState state) {
    return state.register(Register.R1) instanceof Pointer pointer
            && pointer.region() instanceof Region.Map map
        ? Optional.of(map.map())
        : Optional.empty();
  }

  private static Optional<String> unfit(
      Helper helper, Register register, String wanted, RegisterState content) {
    String found =
        content instanceof Pointer pointer
            ? "points into " + pointer.region().describe()
            : content instanceof Scalar number
                    && wanted.equals("a constant")
                    && !number.isConstant()
                ? "is known only at run time"
                : "is a number";
    return Optional.of(
        helper.kernelName() + " takes " + wanted + " in " + register + ", which " + found);
  }
}
