package dev.ply.kernel.dwarf;

import dev.ply.kernel.dwarf.Entries.Children;
import dev.ply.kernel.dwarf.Location.Piece;
import dev.ply.kernel.dwarf.Location.Storage;
import dev.ply.kernel.dwarf.TypeReader.Described;
import dev.ply.kernel.dwarf.TypeReader.Passing;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.machine.Architecture;
import dev.ply.target.FunctionPrototype.Parameter;
import dev.ply.target.FunctionPrototype.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds where a function's parameters are when it is called. Debug information says it of optimised
 * code, and of all that Go's compiler makes; other code without optimisation first moves them to
 * the stack, and has them where the platform's calling convention says.
 */
final class ParameterReader {
  /** The registers for floating-point numbers, of x86-64 and Arm; the stack has those beyond. */
  private static final int FLOATING_POINT_REGISTERS = 8;

  private static final int WORD = 8;

  /** Words of the stack beyond these have no name. */
  private static final int MOST_STACK_WORDS = 99;

  /** The heap size of a parameter without the characters of its name. */
  private static final int PARAMETER_BYTES = 400;

  private static final int DEEPEST = 4;
  private static final int MOST_PARTS = 64;

  private static final Place OPTIMISED =
      new Place.Nowhere(
          "it is optimised out",
          "at the function's entry it is in no register or memory; arg0, arg1, … are what callers"
              + " pass");

  private static final Place NUMBER =
      new Place.Nowhere(
          "it is not passed as an integer or a pointer",
          "structures and floating-point numbers are not, and what follows a structure may be"
              + " anywhere");

  private final Entries entries;
  private final TypeReader types;
  private final LocationLists locations;
  private final Optional<Architecture> machine;
  private final long address;
  private final String name;
  private final Entry function;
  private final Entry unit;
  private final boolean isGo;

  /** The number of arguments so far, if the calling convention of C is followed. */
  private int next;

  private int floating;
  private boolean isCounted = true;
  private int parts;

  ParameterReader(
      Entries entries, TypeReader types, ElfFile debug, Entry function, long address, String name)
      throws IOException {
    this.entries = entries;
    this.types = types;
    this.locations = new LocationLists(debug);
    this.machine =
        Architecture.ofElf(
            debug.machine(), debug.is64() ? Long.BYTES : Integer.BYTES, debug.order());
    this.address = address;
    this.name = name;
    this.function = function;
    this.unit = entries.at(function.unit().first());
    this.isGo = isGo(unit);
    // The result is returned through a hidden pointer argument, but where another register has it.
    this.next = passesResultAddress() && types.of(function).isByReference() ? 1 : 0;
  }

  private boolean passesResultAddress() {
    return machine.filter(Architecture::passesResultAddress).isPresent();
  }

  /** Returns whether Go's own compiler made the code: gccgo's is called as C's. */
  static boolean isGo(Entry unit) throws BadDwarfException {
    return unit.number(Dwarf.LANGUAGE).orElse(0) == Dwarf.LANGUAGE_GO
        && unit.string(Dwarf.PRODUCER).filter(text -> text.startsWith("GNU ")).isEmpty();
  }

  /** Returns the parameters in order; Go's results follow them, and are none. */
  List<Parameter> parameters() throws IOException {
    Optional<Place> foreign = foreign();
    List<Parameter> parameters = new ArrayList<>();
    Children children = entries.children(function);
    while (children.advance()) {
      Entry child = children.entry();
      if (child.tag() == Dwarf.TAG_PARAMETER && !isResult(child)) {
        Described type = types.of(child);
        Place counted = counted(type);
        String called = entries.name(child).orElse("");
        entries.claimKept(PARAMETER_BYTES + 2L * called.length());
        parameters.add(
            new Parameter(
                called,
                types.reference(child, type),
                foreign.isPresent() ? foreign.get() : place(child, type, counted)));
      }
    }
    return parameters;
  }

  static boolean isResult(Entry parameter) throws BadDwarfException {
    return parameter.number(Dwarf.VARIABLE_PARAMETER).orElse(0) != 0
        || parameter.isFlagged(Dwarf.VARIABLE_PARAMETER);
  }

  /** Functions of a compiler's own convention: their callers are known to it. */
  private Optional<Place> foreign() throws BadDwarfException {
    long convention = function.number(Dwarf.CALLING_CONVENTION).orElse(Dwarf.CALLED_NORMALLY);
    return convention == Dwarf.CALLED_NORMALLY || convention == Dwarf.CALLED_AS_PROGRAM
        ? Optional.empty()
        : Optional.of(
            new Place.Nowhere(
                "the function is not called as the platform's others are",
                "its debug information says so (DW_AT_calling_convention "
                    + convention
                    + "), and not where its arguments are"));
  }

  /** Returns where the calling convention of C has the next parameter. */
  private Place counted(Described type) {
    floating += type.passing() == Passing.FLOATING_POINT ? 1 : 0;
    isCounted &= type.passing() != Passing.OTHER && floating <= FLOATING_POINT_REGISTERS;
    return type.passing() == Passing.INTEGER && isCounted ? new Place.Argument(next++) : NUMBER;
  }

  private Place place(Entry parameter, Described type, Place counted) throws IOException {
    Optional<Location> location = locations.at(address, parameter, function, unit);
    if (location.isEmpty()) {
      return OPTIMISED;
    }
    if (type.passing() == Passing.INTEGER) {
      return word(location.get(), 0, type.size(), counted);
    }
    if (type.passing() == Passing.OTHER && type.dimensions().isEmpty()) {
      return members(parameter, location.get());
    }
    return NUMBER;
  }

  /** Returns where some bytes of a parameter are. */
  private Place word(Location location, long offset, long size, Place counted) {
    long start = 0;
    for (Piece piece : location.pieces()) {
      long end = piece.size() == Location.REST ? Long.MAX_VALUE : start + piece.size();
      if (offset >= start && offset + size <= end) {
        return word(piece.storage(), offset - start, size, location.isList(), counted);
      }
      start = end;
    }
    return OPTIMISED;
  }

  private Place word(Storage storage, long offset, long size, boolean isList, Place counted) {
    if (storage instanceof Storage.Register register) {
      return offset + size <= WORD ? bits(register(register.number()), offset) : NUMBER;
    }
    if (storage instanceof Storage.CallFrame frame && frame.offset() >= 0) {
      long at = frame.offset() + offset;
      return at % WORD + size <= WORD && at / WORD <= MOST_STACK_WORDS
          ? bits(new Place.StackWord((int) (at / WORD)), at % WORD)
          : NUMBER;
    }
    return storage instanceof Storage.Nothing || isList || !isConventional() ? OPTIMISED : counted;
  }

  private static Place bits(Place word, long offset) {
    return offset == 0 || word instanceof Place.Nowhere
        ? word
        : new Place.Bits(word, (int) offset * Byte.SIZE);
  }

  /**
   * Returns whether code that is not optimised has its arguments where C has them: that of some
   * languages has not, nor has a variant of a function that the compiler made for some callers.
   */
  private boolean isConventional() {
    try {
      long language = unit.number(Dwarf.LANGUAGE).orElse(0);
      return !isGo
          && language != Dwarf.LANGUAGE_D
          && language != Dwarf.LANGUAGE_HASKELL
          && language != Dwarf.LANGUAGE_OCAML
          && !name.contains(".isra.")
          && !name.contains(".constprop.")
          && !name.contains(".part.");
    } catch (BadDwarfException e) {
      return false;
    }
  }

  private Place register(long number) {
    Optional<String> register = machine.flatMap(one -> one.debugRegister(number));
    if (register.isEmpty()) {
      return NUMBER;
    }
    int argument = machine.get().argumentNames().indexOf(register.get());
    return argument >= 0 ? new Place.Argument(argument) : other(register.get());
  }

  /** Where C's functions are probed, other registers may have changed. */
  private Place other(String register) {
    return isGo
        ? new Place.Register(register)
        : new Place.Nowhere(
            "it is in the register " + register, "no argument of the calling convention is there");
  }

  private Place members(Entry parameter, Location location) throws IOException {
    // Of a variable that is used in part, Go's compiler tells the place of that part.
    boolean isPart = isGo && location.isList() && location.pieces().get(0).size() == Location.REST;
    if (isPart) {
      return OPTIMISED;
    }
    OptionalInt type = entries.type(parameter);
    return type.isEmpty() ? NUMBER : members(entries.at(type.getAsInt()), location, 0, 0);
  }

  private Place members(Entry struct, Location location, long start, int depth) throws IOException {
    if (depth > DEEPEST) {
      return NUMBER;
    }
    if (struct.tag() == Dwarf.TAG_TYPEDEF || struct.tag() == Dwarf.TAG_CONST) {
      OptionalInt target = struct.reference(Dwarf.TYPE);
      return target.isEmpty()
          ? NUMBER
          : members(entries.at(target.getAsInt()), location, start, depth + 1);
    }
    if (struct.tag() != Dwarf.TAG_STRUCTURE) {
      return NUMBER;
    }
    List<Parameter> members = new ArrayList<>();
    Children children = entries.children(struct);
    while (children.advance()) {
      Entry member = children.entry();
      boolean isWhole = !member.has(Dwarf.BIT_SIZE) && !member.has(Dwarf.DECLARATION);
      if (member.tag() == Dwarf.TAG_MEMBER && isWhole && parts++ < MOST_PARTS) {
        members.add(member(member, location, start, depth));
      }
    }
    boolean isFound =
        members.stream().anyMatch(member -> !(member.place() instanceof Place.Nowhere));
    boolean isText =
        isGo && members.stream().map(Parameter::name).toList().equals(List.of("str", "len"));
    return isFound ? new Place.Parts(members, isText) : NUMBER;
  }

  private Parameter member(Entry member, Location location, long start, int depth)
      throws IOException {
    Described type = types.of(member);
    long offset = start + member.number(Dwarf.MEMBER_LOCATION).orElse(0);
    OptionalInt reference = entries.type(member);
    Place place = NUMBER;
    if (type.passing() == Passing.INTEGER) {
      place = word(location, offset, type.size(), NUMBER);
    } else if (type.passing() == Passing.OTHER
        && type.dimensions().isEmpty()
        && reference.isPresent()) {
      place = members(entries.at(reference.getAsInt()), location, offset, depth + 1);
    }
    return new Parameter(entries.name(member).orElse(""), types.reference(member, type), place);
  }
}
