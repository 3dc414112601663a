package dev.ply.analysis.typing;

import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeReference;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.FunctionPrototype.Parameter;
import dev.ply.target.FunctionPrototype.Place;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The types of programs beside those of the script and the kernel: where a name is that of another
 * type, the program's gets a name that no script can write.
 */
public final class BinaryTypes {
  private final Target target;
  private final List<TypeDefinition> definitions;

  /** The types of programs by their names. */
  private final Map<String, Struct> known = new HashMap<>();

  public BinaryTypes(List<TypeDefinition> own, Target target) {
    this.target = target;
    this.definitions = new ArrayList<>(own);
  }

  /** Returns the types of the script, and those of the programs. */
  public List<TypeDefinition> definitions() {
    return definitions;
  }

  /** Adds the types of a function, and returns it with their names. */
  public FunctionPrototype named(FunctionPrototype function, String binary) {
    List<Struct> structs =
        function.definitions().stream()
            .filter(Struct.class::isInstance)
            .map(Struct.class::cast)
            .toList();
    Set<String> taken = taken(structs);
    UnaryOperator<TypeName> names = UnaryOperator.identity();
    for (int number = 1; !taken.isEmpty(); number++) {
      String suffix = " of " + binary + (number == 1 ? "" : " (" + number + ")");
      UnaryOperator<TypeName> renamed =
          name ->
              taken.contains(name.base())
                  ? new TypeName(name.base() + suffix, name.pointers())
                  : name;
      if (structs.stream().map(struct -> renamed(struct, renamed)).noneMatch(this::isOther)) {
        names = renamed;
        break;
      }
    }
    UnaryOperator<TypeName> chosen = names;
    structs.stream().map(struct -> renamed(struct, chosen)).forEach(this::add);
    List<Parameter> parameters =
        function.parameters().stream().map(one -> renamed(one, chosen)).toList();
    return new FunctionPrototype(parameters, function.definitions());
  }

  /** Returns the names that mean another type already, and those of types that lead to one. */
  private Set<String> taken(List<Struct> structs) {
    Set<String> taken = new HashSet<>();
    structs.stream().filter(this::isTaken).map(Struct::name).forEach(taken::add);
    boolean hasMore = !taken.isEmpty();
    while (hasMore) {
      hasMore =
          taken.addAll(
              structs.stream().filter(struct -> leadsTo(struct, taken)).map(Struct::name).toList());
    }
    return taken;
  }

  private static boolean leadsTo(Struct struct, Set<String> names) {
    return struct.fields().stream().anyMatch(field -> leadsTo(field.type(), names));
  }

  private static boolean leadsTo(FieldType type, Set<String> names) {
    if (type instanceof FieldType.Named named) {
      return names.contains(named.name().base());
    }
    if (type instanceof FieldType.Pointer pointer) {
      return leadsTo(pointer.target(), names);
    }
    return type instanceof FieldType.Array array
        ? leadsTo(array.element(), names)
        : leadsTo(((FieldType.Nested) type).struct(), names);
  }

  private boolean isTaken(Struct struct) {
    return known.containsKey(struct.name())
        ? isOther(struct)
        : definitions.stream().anyMatch(own -> isNamed(own, struct.name()))
            || target.types().struct(struct.tag()).isPresent();
  }

  private boolean isOther(Struct struct) {
    Struct same = known.get(struct.name());
    return same != null && !same.equals(struct);
  }

  private static boolean isNamed(TypeDefinition definition, String name) {
    return definition instanceof Struct struct && struct.name().equals(name);
  }

  private void add(Struct struct) {
    if (known.putIfAbsent(struct.name(), struct) == null) {
      definitions.add(struct);
    }
  }

  private static Parameter renamed(Parameter parameter, UnaryOperator<TypeName> names) {
    Place place =
        parameter.place() instanceof Place.Parts parts
            ? new Place.Parts(
                parts.parts().stream().map(part -> renamed(part, names)).toList(), parts.isText())
            : parameter.place();
    return new Parameter(
        parameter.name(), parameter.type().map(type -> renamed(type, names)), place);
  }

  private static TypeReference renamed(TypeReference type, UnaryOperator<TypeName> names) {
    if (type instanceof TypeName name) {
      return names.apply(name);
    }
    return type instanceof TypeArray array
        ? new TypeArray(renamed(array.element(), names), array.length(), array.pointers())
        : type;
  }

  private static Struct renamed(Struct struct, UnaryOperator<TypeName> names) {
    String name = names.apply(new TypeName(struct.name(), 0)).base();
    return new Struct(
        struct.tag().isEmpty() ? "" : name.substring(name.indexOf(' ') + 1),
        struct.isUnion(),
        struct.packing(),
        struct.fields().stream().map(field -> renamed(field, names)).toList(),
        struct.recorded(),
        struct.span());
  }

  private static Field renamed(Field field, UnaryOperator<TypeName> names) {
    return new Field(
        field.name(),
        renamed(field.type(), names),
        field.dimensions(),
        field.bits(),
        field.isPacked(),
        field.alignment());
  }

  private static FieldType renamed(FieldType type, UnaryOperator<TypeName> names) {
    if (type instanceof FieldType.Named named) {
      return new FieldType.Named(names.apply(named.name()));
    }
    if (type instanceof FieldType.Pointer pointer) {
      return new FieldType.Pointer(renamed(pointer.target(), names));
    }
    return type instanceof FieldType.Array array
        ? new FieldType.Array(renamed(array.element(), names), array.length())
        : new FieldType.Nested(renamed(((FieldType.Nested) type).struct(), names));
  }
}
