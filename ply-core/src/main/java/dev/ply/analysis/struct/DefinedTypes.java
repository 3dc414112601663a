package dev.ply.analysis.struct;

import dev.ply.analysis.struct.StructLayout.Aligned;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Enumeration;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeDefinition.Typedef;
import dev.ply.ir.TypeName;
import dev.ply.machine.Architecture;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.type.AddressSpace;
import dev.ply.type.Enumerators;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The types of a kernel and those that a script defines, which take precedence. Structures of the
 * script have negative ids.
 *
 * <p>What is wrong with a definition in a script is reported in any case; in a header, which
 * defines more than a script uses, only if the type is used.
 */
public final class DefinedTypes implements KernelTypes {
  /** More bytes than any structure has; what is computed with offsets stays within 32 bits. */
  static final int LARGEST = 1 << 28;

  /** An error in the definition of a structure, as what follows "struct tag has". */
  private record Fault(DiagnosticCode code, String text) {}

  private final KernelTypes kernel;
  private final Architecture architecture;
  private final Diagnostics diagnostics;
  private final NamedType names;
  private final Map<String, Struct> tagged = new HashMap<>();
  private final Map<String, Typedef> typedefs = new HashMap<>();
  private final Map<String, Enumeration> enumerations = new HashMap<>();

  /** By the names of their constants. */
  private final Map<String, Enumeration> constants = new HashMap<>();

  private final List<StructLayout> layouts = new ArrayList<>();
  private final IdentityHashMap<Struct, KernelStruct> structs = new IdentityHashMap<>();

  /** The structures and typedefs being looked at: one that contains itself has no layout. */
  private final Set<TypeDefinition> unfinished = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Of the structure that is being laid out. */
  private List<Fault> faults = new ArrayList<>();

  /** Whether a part of the type that is being looked at is unknown. */
  private boolean isUnknown;

  private final Set<Struct> faulty = Collections.newSetFromMap(new IdentityHashMap<>());

  DefinedTypes(Target target, Diagnostics diagnostics) {
    this.kernel = target.types();
    this.architecture = target.architecture();
    this.diagnostics = diagnostics;
    this.names = new NamedType(new RetypedTarget(target, this));
  }

  /** Returns a target that also has the types that a script defines. */
  public static Target add(
      List<TypeDefinition> definitions, Target target, Diagnostics diagnostics) {
    if (definitions.isEmpty()) {
      return target;
    }
    DefinedTypes types = new DefinedTypes(target, diagnostics);
    definitions.forEach(types::add);
    for (TypeDefinition definition : definitions) {
      if (definition instanceof Struct struct && !struct.span().source().endsWith(".h")) {
        KernelStruct unused = types.struct(struct);
      }
    }
    return new RetypedTarget(target, types);
  }

  /** Adds a definition. The first one of a name is that of the name. */
  public void add(TypeDefinition definition) {
    if (definition instanceof Struct struct) {
      tagged.putIfAbsent(struct.tag(), struct);
    } else if (definition instanceof Typedef typedef) {
      if (!leadsTo(typedef.type(), typedef.name())) {
        typedefs.putIfAbsent(typedef.name(), typedef);
      }
    } else if (definition instanceof Enumeration enumeration) {
      enumerations.putIfAbsent(enumeration.tag(), enumeration);
      enumeration.enumerators().forEach(one -> constants.putIfAbsent(one.name(), enumeration));
    }
  }

  /** Returns whether a type is made of a typedef's name, which C declares before it is used. */
  private boolean leadsTo(FieldType type, String name) {
    if (type instanceof FieldType.Pointer pointer) {
      return leadsTo(pointer.target(), name);
    }
    if (type instanceof FieldType.Array array) {
      return leadsTo(array.element(), name);
    }
    if (!(type instanceof FieldType.Named named)) {
      return false;
    }
    Typedef next = typedefs.get(named.name().base());
    return named.name().base().equals(name) || (next != null && leadsTo(next.type(), name));
  }

  @Override
  public KernelTypes kernel() {
    return kernel;
  }

  @Override
  public boolean isKnown() {
    return kernel.isKnown();
  }

  @Override
  public Optional<Function> function(String name) {
    return kernel.function(name);
  }

  @Override
  public Set<String> functionNames() {
    return kernel.functionNames();
  }

  @Override
  public KernelTypes module(String name) {
    return kernel.module(name);
  }

  @Override
  public Optional<Function> rawTracepointProbe(String event) {
    return kernel.rawTracepointProbe(event);
  }

  @Override
  public Optional<Type> typedef(String name) {
    return defined(name).or(() -> kernel.typedef(name));
  }

  @Override
  public Optional<Type> defined(String name) {
    return own(name).map(typedef -> whole(typedef.type()));
  }

  private Optional<Typedef> own(String name) {
    return Optional.ofNullable(typedefs.get(name)).filter(one -> !unfinished.contains(one));
  }

  @Override
  public Optional<KernelStruct> struct(String tag) {
    Struct own = tagged.get(tag);
    if (own == null || tag.isEmpty()) {
      return kernel.struct(tag);
    }
    return unfinished.contains(own) ? Optional.empty() : Optional.of(struct(own));
  }

  private synchronized KernelStruct struct(Struct definition) {
    KernelStruct known = structs.get(definition);
    if (known != null) {
      isUnknown |= faulty.contains(definition);
      return known;
    }
    List<Fault> outer = faults;
    boolean isOuterUnknown = isUnknown;
    isUnknown = false;
    faults = new ArrayList<>();
    unfinished.add(definition);
    StructLayout layout = StructLayout.of(definition, this::laidOut, architecture);
    unfinished.remove(definition);
    if (layout.size() == LARGEST) {
      faults.add(new Fault(DiagnosticCode.OUT_OF_RANGE, "more than " + LARGEST + " bytes"));
    }
    for (Fault fault : faults) {
      diagnostics.error(
          fault.code(), definition.span(), definition.name() + " has " + fault.text());
    }
    if (isUnknown || !faults.isEmpty()) {
      faulty.add(definition);
    }
    isUnknown |= isOuterUnknown || !faults.isEmpty();
    faults = outer;
    layouts.add(layout);
    // Nothing is loaded in larger pieces than words.
    int alignment = Math.min(Long.BYTES, layout.alignment());
    KernelStruct struct =
        new KernelStruct(definition.tag(), -layouts.size(), layout.size(), alignment);
    structs.put(definition, struct);
    return struct;
  }

  private Aligned laidOut(Field field) {
    Aligned element = aligned(field.type());
    Type type = element.type();
    if (field.bits().orElse(0) > type.size() * Byte.SIZE && !(type instanceof VoidType)) {
      faults.add(
          new Fault(
              DiagnosticCode.OUT_OF_RANGE,
              "a bit-field \"" + field.name() + "\" that is wider than its type"));
    }
    long bytes = type.size();
    for (int length : field.dimensions()) {
      bytes = Math.min(LARGEST, bytes * length);
    }
    if (bytes == LARGEST) {
      faults.add(
          new Fault(
              DiagnosticCode.OUT_OF_RANGE,
              "an array \"" + field.name() + "\" of more than " + LARGEST + " bytes"));
      return element;
    }
    boolean isTornApart =
        !field.dimensions().isEmpty() && type.size() > 0 && type.size() % element.alignment() != 0;
    if (isTornApart) {
      faults.add(
          new Fault(
              DiagnosticCode.OUT_OF_RANGE,
              "an array \"" + field.name() + "\" whose elements are smaller than their alignment"));
    }
    return new Aligned(inArrays(type, field), element.alignment());
  }

  /**
   * Returns the type of a member with its alignment, which can be another than that of the type's
   * values in programs. A pointer's target can be the structure being laid out: it is resolved
   * later.
   */
  Aligned aligned(FieldType type) {
    if (type instanceof FieldType.Nested nested) {
      KernelStruct struct = struct(nested.struct());
      return new Aligned(struct, layout(struct).alignment());
    }
    if (type instanceof FieldType.Array array) {
      Aligned element = aligned(array.element());
      return new Aligned(arrayOf(element.type(), array.length()), element.alignment());
    }
    if (type instanceof FieldType.Named named && named.name().pointers() == 0) {
      return aligned(named.name());
    }
    return new Aligned(
        new PointerType(new VoidType(), AddressSpace.KERNEL), architecture.wordSize());
  }

  private Aligned aligned(TypeName name) {
    Optional<Typedef> own = own(name.base());
    if (own.isPresent()) {
      Typedef typedef = own.get();
      unfinished.add(typedef);
      Aligned type = aligned(typedef.type());
      unfinished.remove(typedef);
      return typedef.alignment() == 0 ? type : new Aligned(type.type(), typedef.alignment());
    }
    if (WideNumbers.isName(name.base())) {
      return new Aligned(WideNumbers.BITS, WideNumbers.alignment(name.base(), architecture));
    }
    Type type = value(name);
    return new Aligned(type, alignment(type));
  }

  /** Arrays of char are strings. */
  private Type value(TypeName name) {
    return name.base().equals("char")
        ? IntType.CHAR
        : names.find(name).orElseGet(() -> unknown(name));
  }

  private Type unknown(TypeName name) {
    isUnknown = true;
    faults.add(
        new Fault(
            DiagnosticCode.UNKNOWN_NAME,
            "a member of type \"" + name.text() + "\", which is unknown"));
    return new VoidType();
  }

  /** Returns a type with its alignment if all of it is known. */
  Optional<Aligned> known(FieldType type) {
    isUnknown = false;
    Aligned found = aligned(type);
    return isUnknown || found.type() instanceof VoidType ? Optional.empty() : Optional.of(found);
  }

  /** Returns the definition of a structure that a type is, if it is the script's own. */
  Optional<Struct> definition(FieldType type) {
    if (type instanceof FieldType.Nested nested) {
      return Optional.of(nested.struct());
    }
    if (!(type instanceof FieldType.Named named) || named.name().pointers() > 0) {
      return Optional.empty();
    }
    String base = named.name().base();
    return base.startsWith("struct ") || base.startsWith("union ")
        ? Optional.ofNullable(tagged.get(base.substring(base.indexOf(' ') + 1)))
        : own(base).flatMap(typedef -> definition(typedef.type()));
  }

  List<StructLayout.Place> places(Struct definition) {
    return layout(struct(definition)).places();
  }

  /** Kernel structures are aligned as their strictest member. */
  private int alignment(Type type) {
    if (type instanceof ArrayType array) {
      return alignment(array.element());
    }
    if (!(type instanceof KernelStruct struct)) {
      return Math.max(1, type.alignment());
    }
    return struct.id() < 0
        ? layout(struct).alignment()
        : kernel
            .memberNames(struct)
            .flatMap(name -> kernel.member(struct, name).stream())
            .mapToInt(member -> alignment(member.type()))
            .max()
            .orElse(1);
  }

  private static Type inArrays(Type element, Field field) {
    Type type = element;
    List<Integer> dimensions = field.dimensions();
    for (int i = dimensions.size() - 1; i >= 0; i--) {
      type = new ArrayType(type, dimensions.get(i));
    }
    return type;
  }

  private static Type arrayOf(Type element, int length) {
    return new ArrayType(element, (long) element.size() * length < LARGEST ? length : 0);
  }

  /** Returns a type with what its pointers point to. */
  private Type whole(FieldType type) {
    if (type instanceof FieldType.Pointer pointer) {
      return new PointerType(whole(pointer.target()), AddressSpace.KERNEL);
    }
    if (type instanceof FieldType.Array array) {
      return arrayOf(whole(array.element()), array.length());
    }
    if (type instanceof FieldType.Nested nested) {
      return struct(nested.struct());
    }
    TypeName name = ((FieldType.Named) type).name();
    if (name.pointers() == 0 && name.base().equals("char")) {
      return IntType.CHAR;
    }
    return names
        .find(name)
        .orElseGet(() -> NamedType.pointer(new VoidType(), Math.min(1, name.pointers())));
  }

  private Type resolved(Field field) {
    return inArrays(whole(field.type()), field);
  }

  @Override
  public Optional<Member> member(KernelStruct struct, String name) {
    if (struct.id() >= 0) {
      return kernel.member(struct, name);
    }
    for (StructLayout.Place place : layout(struct).places()) {
      Field field = place.field();
      if (field.name().equals(name)) {
        return Optional.of(
            new Member(
                name, resolved(field), place.offset(), field.bits().orElse(0), place.shift()));
      }
      if (field.name().isEmpty() && place.type() instanceof KernelStruct inner) {
        Optional<Member> found = member(inner, name);
        if (found.isPresent()) {
          return found.map(member -> member.movedBy(place.offset()));
        }
      }
    }
    return Optional.empty();
  }

  private synchronized StructLayout layout(KernelStruct struct) {
    return layouts.get(-struct.id() - 1);
  }

  @Override
  public Stream<String> memberNames(KernelStruct struct) {
    return struct.id() >= 0
        ? kernel.memberNames(struct)
        : layout(struct).places().stream()
            .flatMap(
                place ->
                    place.field().name().isEmpty() && place.type() instanceof KernelStruct inner
                        ? memberNames(inner)
                        : Stream.of(place.field().name()));
  }

  @Override
  public Optional<IntType> enumeration(String tag) {
    return Optional.ofNullable(enumerations.get(tag))
        .filter(enumeration -> !tag.isEmpty())
        .map(DefinedTypes::number)
        .or(() -> kernel.enumeration(tag));
  }

  private static IntType number(Enumeration enumeration) {
    Signedness signedness = enumeration.isSigned() ? Signedness.SIGNED : Signedness.UNSIGNED;
    return IntType.of(enumeration.bytes(), signedness).named(names(enumeration));
  }

  @Override
  public Optional<Enumerators> enumerators(String name) {
    return Optional.ofNullable(constants.get(name)).map(DefinedTypes::names);
  }

  private static Enumerators names(Enumeration enumeration) {
    Map<Long, String> names = new HashMap<>();
    enumeration.enumerators().forEach(one -> names.putIfAbsent(one.value(), one.name()));
    return new Enumerators(enumeration.tag(), names);
  }

  @Override
  public OptionalLong enumerator(String name) {
    return Stream.ofNullable(constants.get(name))
        .flatMap(enumeration -> enumeration.enumerators().stream())
        .filter(one -> one.name().equals(name))
        .map(one -> OptionalLong.of(one.value()))
        .findFirst()
        .orElseGet(() -> kernel.enumerator(name));
  }
}
