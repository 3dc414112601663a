package dev.ply.analysis;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Enumeration;
import dev.ply.ir.TypeDefinition.Enumerator;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.type.AddressSpace;
import dev.ply.type.Enumerators;
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
 */
final class DefinedTypes implements KernelTypes {
  /** More bytes than any structure has; what is computed with offsets stays within 32 bits. */
  static final int LARGEST = 1 << 28;

  /** An error in the definition of a structure, as what follows "struct tag has". */
  private record Fault(DiagnosticCode code, String text) {}

  private final KernelTypes kernel;
  private final List<TypeDefinition> definitions;
  private final NamedType names;
  private final List<StructLayout> layouts = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private final IdentityHashMap<Struct, KernelStruct> structs = new IdentityHashMap<>();

  /** The structures being laid out: one that contains itself has no layout. */
  private final Set<Struct> unfinished = Collections.newSetFromMap(new IdentityHashMap<>());

  private DefinedTypes(Target target, List<TypeDefinition> definitions) {
    this.kernel = target.types();
    this.definitions = definitions;
    this.names = new NamedType(new RetypedTarget(target, this));
  }

  /** Returns a target that also has the types that a script defines. */
  static Target add(List<TypeDefinition> definitions, Target target, Diagnostics diagnostics) {
    if (definitions.isEmpty()) {
      return target;
    }
    DefinedTypes types = new DefinedTypes(target, definitions);
    types.layOut(diagnostics);
    return new RetypedTarget(target, types);
  }

  private void layOut(Diagnostics diagnostics) {
    for (TypeDefinition definition : definitions) {
      if (definition instanceof Struct struct) {
        List<Fault> before = List.copyOf(faults);
        KernelStruct unused = struct(struct);
        faults.stream()
            .filter(fault -> !before.contains(fault))
            .forEach(
                fault ->
                    diagnostics.error(
                        fault.code(), struct.span(), struct.name() + " has " + fault.text()));
      }
    }
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
    return kernel.typedef(name);
  }

  @Override
  public Optional<KernelStruct> struct(String tag) {
    Optional<Struct> own =
        definitions.stream()
            .filter(Struct.class::isInstance)
            .map(Struct.class::cast)
            .filter(struct -> struct.tag().equals(tag))
            .findFirst();
    if (own.filter(unfinished::contains).isPresent()) {
      return Optional.empty();
    }
    return own.isPresent() ? Optional.of(struct(own.get())) : kernel.struct(tag);
  }

  private synchronized KernelStruct struct(Struct definition) {
    KernelStruct known = structs.get(definition);
    if (known != null) {
      return known;
    }
    unfinished.add(definition);
    StructLayout layout = StructLayout.of(definition, this::typeOf, this::alignment);
    unfinished.remove(definition);
    if (layout.size() == LARGEST) {
      faults.add(new Fault(DiagnosticCode.OUT_OF_RANGE, "more than " + LARGEST + " bytes"));
    }
    layouts.add(layout);
    KernelStruct struct =
        new KernelStruct(definition.tag(), -layouts.size(), layout.size(), layout.alignment());
    structs.put(definition, struct);
    return struct;
  }

  /** A pointer's target can be the structure being laid out: it is resolved later. */
  private Type typeOf(Field field) {
    Type type =
        field.type() instanceof FieldType.Named named
            ? named.name().pointers() > 0
                ? new PointerType(new VoidType(), AddressSpace.KERNEL)
                : value(named.name())
            : struct(((FieldType.Nested) field.type()).struct());
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
      return type;
    }
    return inArrays(type, field);
  }

  /** Arrays of char are strings. */
  private Type value(TypeName name) {
    return name.base().equals("char")
        ? IntType.CHAR
        : names.find(name).orElseGet(() -> unknown(name));
  }

  private Type unknown(TypeName name) {
    faults.add(
        new Fault(
            DiagnosticCode.UNKNOWN_NAME,
            "a member of type \"" + name.text() + "\", which is unknown"));
    return new VoidType();
  }

  /** Kernel structures are aligned as their strictest member. */
  private int alignment(Type type) {
    if (type instanceof ArrayType array) {
      return alignment(array.element());
    }
    if (!(type instanceof KernelStruct struct)) {
      return type.alignment();
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

  private Type resolved(Field field, Type laidOut) {
    return field.type() instanceof FieldType.Named named && named.name().pointers() > 0
        ? names.find(named.name()).map(type -> inArrays(type, field)).orElse(laidOut)
        : laidOut;
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
                name,
                resolved(field, place.type()),
                place.offset(),
                field.bits().orElse(0),
                place.shift()));
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
    return enumerations()
        .filter(enumeration -> enumeration.tag().equals(tag))
        .findFirst()
        .map(enumeration -> IntType.U32.named(names(enumeration)))
        .or(() -> kernel.enumeration(tag));
  }

  @Override
  public Optional<Enumerators> enumerators(String name) {
    return enumerations()
        .filter(
            enumeration ->
                enumeration.enumerators().stream().anyMatch(one -> one.name().equals(name)))
        .findFirst()
        .map(DefinedTypes::names);
  }

  private Stream<Enumeration> enumerations() {
    return definitions.stream().filter(Enumeration.class::isInstance).map(Enumeration.class::cast);
  }

  private static Enumerators names(Enumeration enumeration) {
    Map<Long, String> names = new HashMap<>();
    enumeration.enumerators().forEach(one -> names.putIfAbsent(one.value(), one.name()));
    return new Enumerators(enumeration.tag(), names);
  }

  @Override
  public OptionalLong enumerator(String name) {
    for (TypeDefinition definition : definitions) {
      if (definition instanceof Enumeration enumeration) {
        for (Enumerator constant : enumeration.enumerators()) {
          if (constant.name().equals(name)) {
            return OptionalLong.of(constant.value());
          }
        }
      }
    }
    return kernel.enumerator(name);
  }
}
