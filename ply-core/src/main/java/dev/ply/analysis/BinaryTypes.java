package dev.ply.analysis;

import dev.ply.ir.CDeclaration;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.FunctionPrototype.Parameter;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The types of programs beside those of the script and the kernel: where a name is that of another
 * type, the program's gets a name that no script can write.
 */
final class BinaryTypes {
  private final Target target;
  private final List<TypeDefinition> definitions;

  /** The types of programs by their names, in C. */
  private final Map<String, String> known = new HashMap<>();

  BinaryTypes(List<TypeDefinition> own, Target target) {
    this.target = target;
    this.definitions = new ArrayList<>(own);
  }

  /** Returns the types of the script, and those of the programs. */
  List<TypeDefinition> definitions() {
    return definitions;
  }

  /** Adds the types of a function, and returns it with their names. */
  FunctionPrototype named(FunctionPrototype function, String binary) {
    Map<String, String> names = new HashMap<>();
    for (TypeDefinition definition : function.definitions()) {
      if (definition instanceof Struct struct && isTaken(struct)) {
        names.put(struct.name(), struct.name() + " of " + binary);
      }
    }
    UnaryOperator<TypeName> renamed =
        name -> new TypeName(names.getOrDefault(name.base(), name.base()), name.pointers());
    for (TypeDefinition definition : function.definitions()) {
      if (definition instanceof Struct struct) {
        add(renamed(struct, renamed));
      }
    }
    List<Parameter> parameters =
        function.parameters().stream()
            .map(one -> new Parameter(one.name(), one.type().map(renamed), one.argument()))
            .toList();
    return new FunctionPrototype(parameters, function.definitions());
  }

  private boolean isTaken(Struct struct) {
    String same = known.get(struct.name());
    return same != null
        ? !same.equals(CDeclaration.of(struct))
        : definitions.stream().anyMatch(own -> isNamed(own, struct.name()))
            || target.types().struct(struct.tag()).isPresent();
  }

  private static boolean isNamed(TypeDefinition definition, String name) {
    return definition instanceof Struct struct && struct.name().equals(name);
  }

  private void add(Struct struct) {
    if (known.putIfAbsent(struct.name(), CDeclaration.of(struct)) == null) {
      definitions.add(struct);
    }
  }

  private static Struct renamed(Struct struct, UnaryOperator<TypeName> names) {
    String name = names.apply(new TypeName(struct.name(), 0)).base();
    return new Struct(
        struct.tag().isEmpty() ? "" : name.substring(name.indexOf(' ') + 1),
        struct.isUnion(),
        struct.isPacked(),
        struct.fields().stream().map(field -> renamed(field, names)).toList(),
        struct.span());
  }

  private static Field renamed(Field field, UnaryOperator<TypeName> names) {
    FieldType type =
        field.type() instanceof FieldType.Nested nested
            ? new FieldType.Nested(renamed(nested.struct(), names))
            : new FieldType.Named(names.apply(((FieldType.Named) field.type()).name()));
    return new Field(field.name(), type, field.dimensions(), field.bits());
  }
}
