package dev.ply.analysis.struct;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.machine.Architecture;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Type.IntType;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The layouts of types that C declares, as far as they do not depend on the types of a kernel: what
 * {@code sizeof} and {@code offsetof} are while declarations are read. Not thread-safe.
 */
public final class Layouts {
  private final DefinedTypes types;

  /** A machine of which only the architecture is known. */
  private record Bare(Architecture architecture) implements Target {
    @Override
    public TracepointCatalog tracepoints() {
      return new TracepointCatalog() {
        @Override
        public Optional<TracepointFormat> find(String category, String event) {
          return Optional.empty();
        }

        @Override
        public Stream<String> names() {
          return Stream.empty();
        }
      };
    }

    @Override
    public FunctionCatalog functions() {
      return FunctionCatalog.NONE;
    }

    @Override
    public KernelSymbols symbols() {
      return KernelSymbols.NONE;
    }
  }

  /**
   * The offset of a member.
   *
   * @param offset from the start of the structure, in bytes
   * @param shift the lowest bit of a bit-field, counted from that of the byte at {@code offset}
   * @param type the member as it is declared
   */
  public record Place(long offset, int shift, Field type) {}

  /**
   * Creates the layouts of an architecture, without definitions.
   *
   * @param architecture that sizes and alignments follow
   */
  public Layouts(Architecture architecture) {
    this.types = new DefinedTypes(new Bare(architecture), new Diagnostics());
  }

  /**
   * Adds a definition.
   *
   * @param definition whose types may be defined later
   */
  public void add(TypeDefinition definition) {
    types.add(definition);
  }

  /**
   * {@return the size of a type in bytes; empty if it is not known}
   *
   * @param type that declarations name
   */
  public OptionalInt size(FieldType type) {
    return find(type).map(found -> OptionalInt.of(found.type().size())).orElse(OptionalInt.empty());
  }

  /**
   * {@return the alignment of a type in bytes; empty if it is not known}
   *
   * @param type that declarations name
   */
  public OptionalInt alignment(FieldType type) {
    return find(type).map(found -> OptionalInt.of(found.alignment())).orElse(OptionalInt.empty());
  }

  /**
   * {@return whether a type is an integer, and if so, a signed one}
   *
   * @param type that declarations name
   */
  public Optional<Boolean> isSigned(FieldType type) {
    return find(type)
        .map(StructLayout.Aligned::type)
        .filter(IntType.class::isInstance)
        .map(found -> ((IntType) found).isSigned());
  }

  /**
   * {@return the offset of a member; empty if unknown}
   *
   * @param type of the structure
   * @param name of a member, also of an anonymous one
   */
  public Optional<Place> member(FieldType type, String name) {
    Optional<Struct> struct = types.definition(type);
    if (struct.isEmpty() || find(type).isEmpty()) {
      return Optional.empty();
    }
    for (StructLayout.Place place : types.places(struct.get())) {
      Field field = place.field();
      if (field.name().equals(name)) {
        return Optional.of(new Place(place.offset(), place.shift(), field));
      }
      if (field.name().isEmpty()) {
        Optional<Place> inner = member(field.type(), name);
        if (inner.isPresent()) {
          return inner.map(
              one -> new Place(place.offset() + one.offset(), one.shift(), one.type()));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<StructLayout.Aligned> find(FieldType type) {
    if (type instanceof FieldType.Named named && named.name().equals(new TypeName("void", 0))) {
      return Optional.of(new StructLayout.Aligned(IntType.U8, 1));
    }
    return types.known(type);
  }
}
