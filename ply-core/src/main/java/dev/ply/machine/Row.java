package dev.ply.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The facts about an architecture, which its row in {@link Architecture} sets; what it does not set
 * has the value here. No more is done than that, since all rows are read at each startup.
 */
final class Row {
  final int wordSize;
  final ByteOrder byteOrder;
  final ImmutableList<String> names;
  ImmutableList<String> registers = ImmutableList.of();
  ImmutableList<String> arguments = ImmutableList.of();
  String returnValue = "";
  String programCounter = "";
  String stackPointer = "";
  Optional<String> prefix = Optional.empty();
  Map<String, String> kernelNames = Map.of();
  int instructionSize = 4;
  int breakpointSize;
  int returnAddressSize;
  int elfMachine;
  final Map<Integer, InstructionSet> decoded = new HashMap<>();
  ImmutableList<String> debugRegisters = ImmutableList.of();
  boolean passesResultAddress = true;
  OperandSyntax operands = OperandSyntax.UNKNOWN;
  SystemCallTable systemCalls = SystemCallTable.UNKNOWN;
  UserApi userApi = UserApi.COMMON;
  List<String> systemCallArguments = List.of();
  Optional<String> systemCallNumber = Optional.empty();
  Map<String, String> systemCallCopies = Map.of();
  Optional<String> systemCallPrefix = Optional.empty();
  Optional<ForeignStatus> foreignCalls = Optional.empty();
  Optional<KernelVersion> trampolines = Optional.empty();
  String withoutTrampolines = "";
  boolean loadsThread;
  Optional<KernelVersion> loadsProcessor = Optional.empty();
  boolean hasUnsignedCharacters;
  boolean hasUnsignedWideCharacters;
  boolean hasStrictBitFields;
  String macros = "";

  private Row(int wordSize, ByteOrder byteOrder, ImmutableList<String> names) {
    this.wordSize = wordSize;
    this.byteOrder = byteOrder;
    this.names = names;
  }

  /** Starts a row; the names are those in Java's {@code os.arch} and {@code uname -m}. */
  static Row row(int wordSize, ByteOrder byteOrder, String names) {
    return new Row(wordSize, byteOrder, PtRegs.words(names).names());
  }

  /** Reads {@code name=value} pairs. */
  private static Map<String, String> pairs(String text) {
    ImmutableMap.Builder<String, String> pairs = ImmutableMap.builder();
    for (String pair : text.split(" ", -1)) {
      int equals = pair.indexOf('=');
      pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return pairs.build();
  }

  Row registers(PtRegs members) {
    registers = members.names();
    return this;
  }

  Row arguments(PtRegs inOrder) {
    arguments = inOrder.names();
    return this;
  }

  Row special(String result, String counter, String stack) {
    returnValue = result;
    programCounter = counter;
    stackPointer = stack;
    return this;
  }

  /** The kernel's own names of members, and a prefix that names may lack. */
  Row kernelNames(String missing, String pairs) {
    prefix = Optional.of(missing);
    kernelNames = pairs(pairs);
    return this;
  }

  Row instructions(int smallest) {
    instructionSize = smallest;
    return this;
  }

  Row breakpoint(int bytes) {
    breakpointSize = bytes;
    return this;
  }

  Row returnAddress(int bytesOnStack) {
    returnAddressSize = bytesOnStack;
    return this;
  }

  Row elf(int machine) {
    elfMachine = machine;
    return this;
  }

  Row decodes(int machine, InstructionSet code) {
    decoded.put(machine, code);
    return this;
  }

  /** The registers in the order of their numbers in DWARF. */
  Row debugRegisters(PtRegs inOrder) {
    debugRegisters = inOrder.names();
    return this;
  }

  Row resultAddressElsewhere() {
    passesResultAddress = false;
    return this;
  }

  Row operands(OperandSyntax syntax) {
    operands = syntax;
    return this;
  }

  Row systemCalls(SystemCallTable table) {
    systemCalls = table;
    return this;
  }

  Row userApi(UserApi numbers) {
    userApi = numbers;
    return this;
  }

  Row systemCallRegisters(String inOrder, String number, String copies) {
    systemCallArguments = PtRegs.words(inOrder).names();
    systemCallNumber = Optional.of(number);
    systemCallCopies = pairs(copies);
    return this;
  }

  Row systemCallPrefix(String functions) {
    systemCallPrefix = Optional.of(functions);
    return this;
  }

  Row foreignCalls(ForeignStatus status) {
    foreignCalls = Optional.of(status);
    return this;
  }

  Row trampolines(KernelVersion since, String before) {
    trampolines = Optional.of(since);
    withoutTrampolines = before;
    return this;
  }

  Row loadsThread() {
    loadsThread = true;
    return this;
  }

  Row loadsProcessor(KernelVersion since) {
    loadsProcessor = Optional.of(since);
    return this;
  }

  Row unsignedCharacters() {
    hasUnsignedCharacters = true;
    return this;
  }

  Row unsignedWideCharacters() {
    hasUnsignedWideCharacters = true;
    return this;
  }

  Row strictBitFields() {
    hasStrictBitFields = true;
    return this;
  }

  /** Names of macros whose value is 1, and others with theirs. */
  Row macros(String predefined) {
    macros = predefined;
    return this;
  }
}
