package dev.ply.lang.c.declaration;

import dev.ply.analysis.struct.Layouts;
import dev.ply.ir.CDeclaration;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Enumeration;
import dev.ply.ir.TypeDefinition.Enumerator;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeDefinition.Typedef;
import dev.ply.ir.TypeName;
import dev.ply.lang.c.expression.CNumber;
import dev.ply.machine.Architecture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The types and constants that declarations have defined so far. */
public final class CScope {
  private final Architecture architecture;
  private final Layouts layouts;
  private final List<TypeDefinition> definitions = new ArrayList<>();
  private final Map<String, TypeDefinition> named = new HashMap<>();
  private final Map<String, CNumber> enumerators = new HashMap<>();
  private final Set<String> typedefs = new HashSet<>();

  public CScope(Architecture architecture) {
    this.architecture = architecture;
    this.layouts = new Layouts(architecture);
  }

  Architecture architecture() {
    return architecture;
  }

  Layouts layouts() {
    return layouts;
  }

  public List<TypeDefinition> definitions() {
    return definitions;
  }

  /** Returns the names of all constants. */
  public Set<String> constants() {
    return enumerators.keySet();
  }

  Optional<CNumber> constant(String name) {
    return Optional.ofNullable(enumerators.get(name));
  }

  /** Adds a constant of the enumeration that is being read. */
  void addConstant(String name, CNumber value) {
    enumerators.put(name, value);
  }

  /** Returns whether a name is that of a type. */
  boolean isType(String name) {
    return typedefs.contains(name)
        || (!enumerators.containsKey(name)
            && layouts.size(new FieldType.Named(new TypeName(name, 0))).isPresent());
  }

  public Set<String> typedefs() {
    return Set.copyOf(typedefs);
  }

  public boolean isTypedef(String name) {
    return typedefs.contains(name);
  }

  /**
   * Adds a definition; returns false if the name is that of another type already, which is kept.
   */
  boolean add(TypeDefinition definition) {
    if (definition instanceof Typedef typedef) {
      typedefs.add(typedef.name());
    }
    String name = name(definition);
    TypeDefinition before = name.isEmpty() ? null : named.putIfAbsent(name, definition);
    if (before != null) {
      return CDeclaration.of(before).equals(CDeclaration.of(definition));
    }
    definitions.add(definition);
    layouts.add(definition);
    return true;
  }

  private static String name(TypeDefinition definition) {
    if (definition instanceof Struct struct) {
      return struct.tag().isEmpty() ? "" : "struct " + struct.tag();
    }
    if (definition instanceof Typedef typedef) {
      return typedef.name();
    }
    String tag = ((Enumeration) definition).tag();
    return tag.isEmpty() ? "" : "struct " + tag;
  }

  /** Returns the smallest size that all constants of an enumeration fit, from a size on. */
  static int bytes(List<Enumerator> constants, int from) {
    for (int bytes = from; bytes < Long.BYTES; bytes *= 2) {
      int bits = bytes * Byte.SIZE;
      boolean isSigned = constants.stream().anyMatch(one -> one.value() < 0 && !one.isUnsigned());
      long most = isSigned ? (1L << (bits - 1)) - 1 : (1L << bits) - 1;
      long least = isSigned ? -(1L << (bits - 1)) : 0;
      boolean fits =
          constants.stream()
              .allMatch(one -> one.value() >= least && one.value() <= most && !one.isUnsigned());
      if (fits) {
        return bytes;
      }
    }
    return Long.BYTES;
  }
}
