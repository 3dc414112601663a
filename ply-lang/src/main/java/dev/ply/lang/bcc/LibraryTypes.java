package dev.ply.lang.bcc;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Structures of C libraries that kernels have by other names. */
final class LibraryTypes {
  private static final List<Struct> ALL =
      List.of(pair("timespec", "tv_sec", "tv_nsec"), pair("timeval", "tv_sec", "tv_usec"));

  private LibraryTypes() {}

  private static Struct pair(String tag, String first, String second) {
    return new Struct(tag, false, false, List.of(word(first), word(second)), SourceSpan.NONE);
  }

  private static Field word(String name) {
    return new Field(
        name, new FieldType.Named(new TypeName("long", 0)), List.of(), OptionalInt.empty());
  }

  /** Returns the definitions of those that parameters of functions in user space point to. */
  static List<TypeDefinition> usedBy(List<ProbedFunction> probes) {
    Set<String> names =
        probes.stream()
            .filter(ProbedFunction::takesUserMemory)
            .flatMap(probe -> probe.parameters().stream())
            .map(parameter -> parameter.type().name().base())
            .collect(Collectors.toSet());
    return ALL.stream()
        .filter(struct -> names.contains(struct.name()))
        .<TypeDefinition>map(struct -> struct)
        .toList();
  }
}
