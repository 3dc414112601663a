package dev.ply.analysis.struct;

import dev.ply.ir.TypeName;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.type.AddressSpace;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Resolves type names: C's and those of the kernel's BTF. */
public final class NamedType {
  /** The name of the type of strings. */
  public static final TypeName STRING = new TypeName("string", 0);

  private final Target target;

  /** Creates a resolver for a target. */
  public NamedType(Target target) {
    this.target = target;
  }

  /** Returns the type of a name, if it exists; pointers are to kernel memory. */
  public Optional<Type> find(TypeName name) {
    return base(name).map(type -> pointer(type, name.pointers()));
  }

  /** Returns the type of the kernel's constant of a name, unless that names a type. */
  public Optional<Type> constant(TypeName name) {
    boolean isConstant =
        name.pointers() == 0 && find(name).isEmpty() && target.constant(name.base()).isPresent();
    return isConstant ? Optional.of(IntType.S64) : Optional.empty();
  }

  /**
   * Returns the type of a pointer to kernel memory.
   *
   * @param depth the number of pointers that lead to the type; 0 is the type itself
   */
  public static Type pointer(Type type, int depth) {
    Type pointer = type;
    for (int i = 0; i < depth; i++) {
      pointer = new PointerType(pointer, AddressSpace.KERNEL);
    }
    return pointer;
  }

  /**
   * Returns the offset of a member in bytes; empty if the structure has no such member, or it is a
   * bit-field.
   *
   * @param path the names of the members that lead to it
   */
  public OptionalInt offset(Type struct, List<String> path) {
    Type type = struct;
    int offset = 0;
    for (String name : path) {
      Optional<KernelTypes.Member> member =
          type instanceof KernelStruct holder
              ? target.types().member(holder, name)
              : Optional.empty();
      if (member.isEmpty() || member.get().isBitField()) {
        return OptionalInt.empty();
      }
      type = member.get().type();
      offset += member.get().offset();
    }
    return OptionalInt.of(offset);
  }

  private Optional<Type> base(TypeName name) {
    return target.types().defined(name.base()).or(() -> known(name));
  }

  private Optional<Type> known(TypeName name) {
    if (name.base().startsWith("struct ") || name.base().startsWith("union ")) {
      String tag = name.base().substring(name.base().indexOf(' ') + 1);
      return target.types().struct(tag).map(struct -> struct);
    }
    if (name.base().startsWith("enum ")) {
      String tag = name.base().substring(name.base().indexOf(' ') + 1);
      Optional<IntType> known = target.types().enumeration(tag);
      return known.isPresent() || target.types().isKnown()
          ? known.map(enumeration -> enumeration)
          : Optional.of(IntType.U32);
    }
    return switch (name.base()) {
      // A variable's grows with what is assigned to it.
      case "string" -> Optional.of(Type.ArrayType.chars(Long.BYTES));
      case "void" -> Optional.of(new VoidType());
      case "char", "signed char" -> Optional.of(name.pointers() > 0 ? IntType.CHAR : IntType.S8);
      case "int8", "int8_t", "s8" -> Optional.of(IntType.S8);
      case "int16", "int16_t", "s16" -> Optional.of(IntType.S16);
      case "int32", "int32_t", "s32" -> Optional.of(IntType.S32);
      case "int64", "int64_t", "s64" -> Optional.of(IntType.S64);
      case "uint8", "uint8_t", "u8" -> Optional.of(IntType.U8);
      case "bool" -> Optional.of(IntType.BOOL);
      case "uint16", "uint16_t", "u16" -> Optional.of(IntType.U16);
      case "uint32", "uint32_t", "u32" -> Optional.of(IntType.U32);
      case "uint64", "uint64_t", "u64" -> Optional.of(IntType.U64);
      // Programs do not compute with these; members and elements of such a type are their bits.
      case "float", "_Float32" -> Optional.of(ArrayType.floatingPoint(Float.BYTES));
      case "double", "_Float64" -> Optional.of(ArrayType.floatingPoint(Double.BYTES));
      case "size_t", "uintptr_t" -> Optional.of(word(Signedness.UNSIGNED));
      case "ssize_t", "intptr_t" -> Optional.of(word(Signedness.SIGNED));
      default ->
          integer(List.of(name.base().split(" ")))
              .or(() -> wide(name.base()))
              .or(() -> target.types().typedef(name.base()))
              .or(() -> exported(name.base()));
    };
  }

  private static Optional<Type> wide(String name) {
    return WideNumbers.isName(name) ? Optional.of(WideNumbers.BITS) : Optional.empty();
  }

  /** Returns a type of the headers that the kernel and the C library export, for want of BTF. */
  private Optional<Type> exported(String name) {
    return switch (name) {
      case "__s8", "int_least8_t", "int_fast8_t" -> Optional.of(IntType.S8);
      case "__s16", "int_least16_t" -> Optional.of(IntType.S16);
      case "__s32",
          "int_least32_t",
          "pid_t",
          "__kernel_pid_t",
          "__kernel_clockid_t",
          "clockid_t",
          "key_t",
          "__kernel_key_t",
          "__kernel_daddr_t",
          "wchar_t",
          "__kernel_timer_t" ->
          Optional.of(IntType.S32);
      case "__s64", "int_least64_t", "intmax_t", "loff_t", "__kernel_loff_t", "__kernel_time64_t" ->
          Optional.of(IntType.S64);
      case "__u8",
          "uint_least8_t",
          "uint_fast8_t",
          "u_int8_t",
          "u_char",
          "unchar",
          "_Bool",
          "cc_t" ->
          Optional.of(IntType.U8);
      case "__u16",
          "uint_least16_t",
          "u_int16_t",
          "u_short",
          "ushort",
          "__le16",
          "__be16",
          "__sum16",
          "sa_family_t",
          "__kernel_sa_family_t",
          "in_port_t" ->
          Optional.of(IntType.U16);
      case "__u32",
          "uint_least32_t",
          "u_int32_t",
          "u_int",
          "uint",
          "__le32",
          "__be32",
          "__wsum",
          "uid_t",
          "gid_t",
          "mode_t",
          "__kernel_uid32_t",
          "__kernel_gid32_t",
          "__poll_t",
          "socklen_t",
          "in_addr_t" ->
          Optional.of(IntType.U32);
      case "__u64",
          "uint_least64_t",
          "u_int64_t",
          "uintmax_t",
          "__le64",
          "__be64",
          "__aligned_u64",
          "__aligned_be64",
          "__aligned_le64" ->
          Optional.of(IntType.U64);
      case "__kernel_size_t", "__kernel_ulong_t", "u_long", "ulong", "__kernel_ino_t" ->
          Optional.of(word(Signedness.UNSIGNED));
      case "__kernel_ssize_t",
          "__kernel_long_t",
          "__kernel_off_t",
          "__kernel_old_time_t",
          "__kernel_time_t",
          "__kernel_clock_t",
          "__kernel_suseconds_t",
          "time_t",
          "clock_t",
          "suseconds_t",
          "off_t",
          "ptrdiff_t",
          "__kernel_ptrdiff_t",
          "int_fast16_t",
          "int_fast32_t",
          "int_fast64_t" ->
          Optional.of(word(Signedness.SIGNED));
      default -> Optional.empty();
    };
  }

  private IntType word(Signedness signedness) {
    return IntType.of(target.architecture().wordSize(), signedness);
  }

  /** Returns the C integer type of keywords in any order: {@code unsigned long int}. */
  private Optional<Type> integer(List<String> words) {
    Signedness signedness = words.contains("unsigned") ? Signedness.UNSIGNED : Signedness.SIGNED;
    long longs = words.stream().filter("long"::equals).count();
    for (String word : words) {
      if (!List.of("unsigned", "signed", "long", "short", "int", "char").contains(word)) {
        return Optional.empty();
      }
    }
    if (words.contains("char")) {
      return Optional.of(IntType.of(1, signedness));
    }
    if (words.contains("short")) {
      return Optional.of(IntType.of(2, signedness));
    }
    return Optional.of(
        longs == 0
            ? IntType.of(4, signedness)
            : longs == 1 ? word(signedness) : IntType.of(8, signedness));
  }
}
