package dev.ply.bpf.btf;

import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.type.AddressSpace;
import dev.ply.type.Enumerators;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The types of one BTF. Thread-safe. */
public final class BtfTypes implements KernelTypes, VerifierTypes {
  private static final int INT_SIGNED = 1;
  private static final int MEMBER_WORDS = 3;
  private static final int PARAMETER_WORDS = 2;
  private static final int DEEPEST = 64;
  private static final byte[] UNNAMED = Btf.terminated("");

  /** The prefix of the types of raw tracepoints' probes (include/trace/bpf_probe.h). */
  private static final String RAW_TRACEPOINT = "btf_trace_";

  /** A module's number is above its structures' ids, of which kernels have about 2^18. */
  private static final int SPACE_SHIFT = 22;

  private final Btf btf;
  private final int space;
  private final Loads loads;
  private final Map<String, Optional<TypedFunction>> functions = new ConcurrentHashMap<>();

  /** The ids of all functions by name; empty until somebody asks for all names. */
  private volatile Map<String, Integer> functionIds = Map.of();

  private final Map<String, Optional<TypedFunction>> probes = new ConcurrentHashMap<>();

  private final Map<String, OptionalLong> enumerators = new ConcurrentHashMap<>();

  private final Map<String, Integer> structs = new ConcurrentHashMap<>();

  /** The names of enumerations by BTF type id. */
  private final Map<Integer, Enumerators> names = new ConcurrentHashMap<>();

  /** Which members the verifier allows to load (btf_struct_walk). */
  public enum Loads {
    /**
     * Before Linux 6.6: within a union, nothing beyond the member where the load starts; of
     * flexible arrays, no numbers; of arrays of structures, only if these are not typedefs.
     */
    STRICT,
    /** Since Linux 6.6: those as well. */
    LENIENT
  }

  private BtfTypes(Btf btf, int space, Loads loads) {
    this.btf = btf;
    this.space = space;
    this.loads = loads;
  }

  /**
   * Parses BTF, such as {@code /sys/kernel/btf/vmlinux}.
   *
   * @throws MalformedBtfException if it is invalid
   */
  public static BtfTypes parse(byte[] content) {
    return new BtfTypes(Btf.open(BtfContent.of(content)), 0, Loads.LENIENT);
  }

  /**
   * Opens a BTF file, which is read in chunks on demand and must not change.
   *
   * @throws MalformedBtfException if it is invalid
   * @throws IOException if the file cannot be read
   */
  public static BtfTypes open(Path file, Loads loads) throws IOException {
    return new BtfTypes(Btf.open(BtfContent.of(file)), 0, loads);
  }

  /** Parses a module's BTF on top of these types, and gives its structures distinct ids. */
  BtfTypes withModule(byte[] content, int number) {
    return new BtfTypes(btf.openModule(BtfContent.of(content)), number, loads);
  }

  /** Returns the number of the module of a structure, 0 for vmlinux. */
  static int space(KernelStruct struct) {
    return struct.id() >>> SPACE_SHIFT;
  }

  private static int number(KernelStruct struct) {
    return struct.id() & ((1 << SPACE_SHIFT) - 1);
  }

  @Override
  public boolean isKnown() {
    return true;
  }

  @Override
  public Optional<String> definition(String tagged) {
    return new CText(btf).definition(tagged);
  }

  @Override
  public List<String> definitions() {
    return new CText(btf).names();
  }

  @Override
  public List<String> declarations(Function function) {
    return new CText(btf).signature(btf.sizeOrType(function.id()));
  }

  @Override
  public Optional<Function> function(String name) {
    return typedFunction(name).map(TypedFunction::signature);
  }

  @Override
  public Optional<TypedFunction> typedFunction(KernelSelector.Function function) {
    return function.module().isEmpty() ? typedFunction(function.name()) : Optional.empty();
  }

  @Override
  public Set<String> functionNames() {
    if (functionIds.isEmpty()) {
      functionIds = btf.named(BtfKind.FUNC);
    }
    return Collections.unmodifiableSet(functionIds.keySet());
  }

  /** Returns the function of this name, in vmlinux or the module of these types. */
  Optional<TypedFunction> typedFunction(String name) {
    return functions.computeIfAbsent(name, this::findFunction);
  }

  private Optional<TypedFunction> findFunction(String name) {
    int id =
        functionIds.isEmpty() ? btf.find(BtfKind.FUNC, name) : functionIds.getOrDefault(name, 0);
    return id == 0 ? Optional.empty() : Optional.of(function(id, btf.sizeOrType(id)));
  }

  private TypedFunction function(int id, int prototype) {
    List<Parameter> parameters = new ArrayList<>();
    boolean isVariadic = false;
    for (int i = 0; i < btf.entries(prototype); i++) {
      int type = btf.word(prototype, i * PARAMETER_WORDS + 1);
      if (type == 0) {
        isVariadic = true;
      } else {
        String name = btf.text(btf.word(prototype, i * PARAMETER_WORDS));
        parameters.add(new Parameter(name, type(type)));
      }
    }
    return new TypedFunction(
        new Function(id, parameters, type(btf.sizeOrType(prototype)), isVariadic),
        new FunctionSignature(btf, this::struct).of(prototype));
  }

  @Override
  public TypedLoad load(KernelStruct struct, long offset, int size) {
    return new StructWalk(btf, loads, this::struct, this::structNumber, number(struct), size)
        .at(offset);
  }

  /** Returns the id of the structure or union of this tag: C has one space of names for both. */
  private int structNumber(String struct) {
    return structs.computeIfAbsent(
        struct,
        name -> {
          int id = btf.find(BtfKind.STRUCT, name);
          return id == 0 ? btf.find(BtfKind.UNION, name) : id;
        });
  }

  @Override
  public Optional<Type> typedef(String name) {
    int id = btf.find(BtfKind.TYPEDEF, name);
    return id == 0 ? Optional.empty() : Optional.of(type(id));
  }

  @Override
  public Optional<KernelStruct> struct(String tag) {
    int id = structNumber(tag);
    return id == 0 ? Optional.empty() : Optional.of(struct(id));
  }

  private KernelStruct struct(int id) {
    int own = id < btf.first() ? id : id | (space << SPACE_SHIFT);
    return new KernelStruct(btf.name(id), own, btf.sizeOrType(id));
  }

  @Override
  public Optional<IntType> enumeration(String tag) {
    for (BtfKind kind : List.of(BtfKind.ENUM, BtfKind.ENUM64)) {
      int id = btf.find(kind, tag);
      if (id != 0 && type(id) instanceof IntType type) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  @Override
  public OptionalLong enumerator(String name) {
    return enumerators.computeIfAbsent(name, btf::enumerator);
  }

  @Override
  public Optional<Function> rawTracepointProbe(String event) {
    return typedProbe(event).map(TypedFunction::signature);
  }

  @Override
  public Optional<TypedFunction> typedProbe(String event) {
    return probes.computeIfAbsent(event, this::findProbe);
  }

  private Optional<TypedFunction> findProbe(String event) {
    int id = btf.find(BtfKind.TYPEDEF, RAW_TRACEPOINT + event);
    int pointer = btf.resolve(id);
    if (btf.kind(pointer) != BtfKind.PTR) {
      return Optional.empty();
    }
    int prototype = btf.sizeOrType(pointer);
    return btf.kind(prototype) == BtfKind.FUNC_PROTO && btf.entries(prototype) > 0
        ? Optional.of(function(id, prototype).withoutFirst())
        : Optional.empty();
  }

  @Override
  public Optional<Member> member(KernelStruct struct, String name) {
    return find(number(struct), name, Btf.terminated(name), 0, 0);
  }

  /** Compares names in place: a structure can have hundreds of members. */
  private Optional<Member> find(int struct, String name, byte[] text, int base, int depth) {
    if (depth > DEEPEST) {
      throw new MalformedBtfException("structures that contain themselves");
    }
    int members = btf.entries(struct);
    for (int i = 0; i < members; i++) {
      int own = btf.word(struct, i * MEMBER_WORDS);
      if (btf.isText(own, text)) {
        return Optional.of(member(struct, i, name, base));
      }
      if (btf.isText(own, UNNAMED)) {
        int type = btf.resolve(btf.word(struct, i * MEMBER_WORDS + 1));
        Optional<Member> inner =
            isStruct(type)
                ? find(type, name, text, base + bitOffset(struct, i) / Byte.SIZE, depth + 1)
                : Optional.empty();
        if (inner.isPresent()) {
          return inner;
        }
      }
    }
    return Optional.empty();
  }

  private Member member(int struct, int index, String name, int base) {
    int type = btf.word(struct, index * MEMBER_WORDS + 1);
    int offset = btf.word(struct, index * MEMBER_WORDS + 2);
    int bits = btf.flag(struct) ? offset >>> 24 : 0;
    int bit = bitOffset(struct, index);
    return new Member(name, type(type), base + bit / Byte.SIZE, bits, bit % Byte.SIZE);
  }

  /** In structures with bit-fields, a member's offset has its size in the upper byte. */
  private int bitOffset(int struct, int index) {
    int offset = btf.word(struct, index * MEMBER_WORDS + 2);
    return btf.flag(struct) ? offset & 0xff_ffff : offset;
  }

  @Override
  public Stream<String> memberNames(KernelStruct struct) {
    return names(number(struct), 0);
  }

  private Stream<String> names(int struct, int depth) {
    if (depth > DEEPEST) {
      throw new MalformedBtfException("structures that contain themselves");
    }
    return IntStream.range(0, btf.entries(struct))
        .boxed()
        .flatMap(
            i -> {
              String own = btf.text(btf.word(struct, i * MEMBER_WORDS));
              int type = btf.resolve(btf.word(struct, i * MEMBER_WORDS + 1));
              return own.isEmpty() && isStruct(type)
                  ? names(type, depth + 1)
                  : Stream.of(own).filter(name -> !name.isEmpty());
            });
  }

  private boolean isStruct(int id) {
    BtfKind kind = btf.kind(id);
    return kind == BtfKind.STRUCT || kind == BtfKind.UNION;
  }

  /** Numbers of other sizes than C's float and double are their bytes. */
  private static Type floatingPoint(int bytes) {
    return bytes == Float.BYTES || bytes == Double.BYTES
        ? ArrayType.floatingPoint(bytes)
        : new ArrayType(IntType.U8, bytes);
  }

  /** Returns a type; forward declarations have no members. */
  private Type type(int id) {
    int type = btf.resolve(id);
    return switch (btf.kind(type)) {
      case INT -> integer(type);
      case PTR -> new PointerType(target(btf.sizeOrType(type)), AddressSpace.KERNEL);
      case ARRAY -> new ArrayType(type(btf.word(type, 0)), btf.word(type, 2));
      case STRUCT, UNION -> struct(type);
      case ENUM, ENUM64 ->
          IntType.of(btf.sizeOrType(type), btf.flag(type) ? Signedness.SIGNED : Signedness.UNSIGNED)
              .named(names.computeIfAbsent(type, btf::enumerators));
      case FLOAT -> floatingPoint(btf.sizeOrType(type));
      case VOID,
          FWD,
          TYPEDEF,
          VOLATILE,
          CONST,
          RESTRICT,
          FUNC,
          FUNC_PROTO,
          VAR,
          DATASEC,
          DECL_TAG,
          TYPE_TAG ->
          new VoidType();
    };
  }

  /** Pointers to functions and arrays are pointers to void. */
  private Type target(int id) {
    int type = btf.resolve(id);
    return switch (btf.kind(type)) {
      case INT -> integer(type);
      case STRUCT, UNION -> struct(type);
      case PTR, ENUM, ENUM64 -> type(type);
      default -> new VoidType();
    };
  }

  private Type integer(int id) {
    int bytes = btf.sizeOrType(id);
    String name = btf.name(id);
    if (name.equals("char")) {
      return IntType.CHAR;
    }
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
      return new ArrayType(IntType.U8, bytes);
    }
    boolean signed = (btf.word(id, 0) >>> 24 & INT_SIGNED) != 0;
    return new IntType(bytes, signed ? Signedness.SIGNED : Signedness.UNSIGNED, IntFormat.DECIMAL);
  }
}
