package dev.ply.kernel.dwarf;

import dev.ply.ir.TypeName;
import dev.ply.kernel.dwarf.Entries.Children;
import dev.ply.kernel.dwarf.TypeReader.Described;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.FunctionPrototype.Parameter;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a program or library says of its functions: {@code .debug_info}, DWARF 2 to 5. Entries that
 * dwz has moved to a file of their own are not read.
 */
public final class DebugInfo {
  private DebugInfo() {}

  /**
   * Reads a function's parameters; empty if the file does not describe it.
   *
   * @param debug the file with the debug information: the loaded file itself, or its debug file
   * @param address of the function in the file
   * @param name of its symbol
   * @throws IOException if it cannot be read, or within its allowance; memory that is claimed then
   *     is to be released
   */
  public static Optional<FunctionPrototype> prototype(ElfFile debug, long address, String name)
      throws IOException {
    Optional<DebugSections> sections = DebugSections.read(debug);
    if (sections.isEmpty()) {
      return Optional.empty();
    }
    Entries entries = new Entries(sections.get(), debug.allowance());
    Entry function = entries.functions(Map.of(address, name)).get(address);
    return function == null
        ? Optional.empty()
        : Optional.of(prototype(entries, function, debug, address, name));
  }

  /**
   * Reads the types of the numbers and addresses that functions return, by the functions' addresses
   * in the file. All floating-point numbers are {@code double}. What the file does not describe is
   * missing.
   *
   * @param debug the file with the debug information: the loaded file itself, or its debug file
   * @param functions the names of their symbols by their addresses
   * @throws IOException if it cannot be read, or within its allowance; memory that is claimed then
   *     is to be released
   */
  public static Map<Long, TypeName> results(ElfFile debug, Map<Long, String> functions)
      throws IOException {
    Optional<DebugSections> sections = DebugSections.read(debug);
    Map<Long, TypeName> results = new HashMap<>();
    if (sections.isPresent()) {
      Entries entries = new Entries(sections.get(), debug.allowance());
      TypeReader types = new TypeReader(entries);
      for (Map.Entry<Long, Entry> function : entries.functions(functions).entrySet()) {
        result(entries, types, function.getValue())
            .ifPresent(type -> results.put(function.getKey(), type));
      }
    }
    return results;
  }

  /**
   * Reads how functions are declared, by their addresses in the file: the parameters, and as the
   * last the type of the result. What the file does not describe is missing.
   *
   * @param debug the file with the debug information: the loaded file itself, or its debug file
   * @param functions the names of their symbols by their addresses
   * @throws IOException if it cannot be read, or within its allowance; memory that is claimed then
   *     is to be released
   */
  public static Map<Long, List<String>> declarations(ElfFile debug, Map<Long, String> functions)
      throws IOException {
    Optional<DebugSections> sections = DebugSections.read(debug);
    Map<Long, List<String>> declarations = new HashMap<>();
    if (sections.isPresent()) {
      Entries entries = new Entries(sections.get(), debug.allowance());
      DeclarationReader reader = new DeclarationReader(entries);
      for (Map.Entry<Long, Entry> function : entries.functions(functions).entrySet()) {
        declarations.put(function.getKey(), reader.declarations(function.getValue()));
      }
    }
    return declarations;
  }

  private static Optional<TypeName> result(Entries entries, TypeReader types, Entry function)
      throws IOException {
    try {
      Described type =
          ParameterReader.isGo(entries.at(function.unit().first()))
              ? firstResult(entries, types, function)
              : types.of(function);
      return switch (type.passing()) {
        case INTEGER -> type.name();
        case FLOATING_POINT -> Optional.of(new TypeName("double", 0));
        case OTHER -> Optional.empty();
      };
    } catch (BadDwarfException e) {
      // One that is damaged says nothing of the others.
      return Optional.empty();
    }
  }

  /** Go's functions have parameters for their results, of which a register has the first. */
  private static Described firstResult(Entries entries, TypeReader types, Entry function)
      throws IOException {
    Children children = entries.children(function);
    while (children.advance()) {
      Entry child = children.entry();
      if (child.tag() == Dwarf.TAG_PARAMETER && ParameterReader.isResult(child)) {
        return types.of(child);
      }
    }
    return Described.VOID;
  }

  private static FunctionPrototype prototype(
      Entries entries, Entry function, ElfFile debug, long address, String name)
      throws IOException {
    TypeReader types = new TypeReader(entries);
    List<Parameter> parameters =
        new ParameterReader(entries, types, debug, function, address, name).parameters();
    return new FunctionPrototype(parameters, types.definitions());
  }
}
