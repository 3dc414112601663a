package dev.ply.kernel.dwarf;

import dev.ply.ir.TypeName;
import dev.ply.kernel.dwarf.TypeReader.Described;
import dev.ply.kernel.dwarf.TypeReader.Passing;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.FunctionPrototype.Parameter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a program or library says of its functions: {@code .debug_info}, DWARF 2 to 5. Entries that
 * dwz has moved to a file of their own are not read.
 */
public final class DebugInfo {
  private static final int X86_64 = 62;

  /** The registers for floating-point numbers, of x86-64 and Arm; the stack has those beyond. */
  private static final int FLOATING_POINT_REGISTERS = 8;

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
        : Optional.of(prototype(entries, function, debug.machine()));
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
        result(types, function.getValue()).ifPresent(type -> results.put(function.getKey(), type));
      }
    }
    return results;
  }

  private static Optional<TypeName> result(TypeReader types, Entry function) throws IOException {
    try {
      Described type = types.of(function);
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

  private static FunctionPrototype prototype(Entries entries, Entry function, int machine)
      throws IOException {
    TypeReader types = new TypeReader(entries);
    // The place for the result is an argument of its own, but where another register has it.
    int next = machine == X86_64 && types.of(function).isByReference() ? 1 : 0;
    int floating = 0;
    boolean isCounted = true;
    List<Parameter> parameters = new ArrayList<>();
    for (Entry child : entries.children(function)) {
      if (child.tag() == Dwarf.TAG_PARAMETER) {
        Described type = types.of(child);
        boolean isInteger = type.passing() == Passing.INTEGER;
        floating += type.passing() == Passing.FLOATING_POINT ? 1 : 0;
        isCounted &= type.passing() != Passing.OTHER && floating <= FLOATING_POINT_REGISTERS;
        OptionalInt argument =
            isInteger && isCounted ? OptionalInt.of(next++) : OptionalInt.empty();
        parameters.add(new Parameter(entries.name(child).orElse(""), type.name(), argument));
      }
    }
    return new FunctionPrototype(parameters, types.definitions());
  }
}
