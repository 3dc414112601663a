package dev.ply.machine;

import dev.ply.machine.UsdtArgument.AtSymbol;
import dev.ply.machine.UsdtArgument.Constant;
import dev.ply.machine.UsdtArgument.Elsewhere;
import dev.ply.machine.UsdtArgument.Memory;
import dev.ply.machine.UsdtArgument.Operand;
import dev.ply.machine.UsdtArgument.Register;
import dev.ply.type.Signedness;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses argument descriptions of USDT notes: {@code -4@%esi 8@16(%rbp)}. The size, negative for
 * signed values, is followed by an operand in assembler syntax.
 */
public final class UsdtArguments {
  private static final Pattern ARGUMENT =
      Pattern.compile("(?:(-?[1248])(f)?@)?((?:[^\\s\\[]|\\[[^\\]]*\\])+)");
  private static final String NUMBER = "([+-]?(?:0x[0-9a-fA-F]+|[0-9]+))";

  private static final Pattern X86_CONSTANT = Pattern.compile("\\$" + NUMBER);
  private static final Pattern X86_REGISTER = Pattern.compile("%(\\w+)");
  private static final Pattern X86_MEMORY =
      Pattern.compile(NUMBER + "?\\((?:%(\\w+))?(?:,\\s*%(\\w+)(?:,\\s*([1248]))?)?\\)");

  /** An offset may stand before the symbol or after it. */
  private static final Pattern X86_SYMBOL =
      Pattern.compile(
          "(?:"
              + NUMBER
              + "\\+)?([A-Za-z_.][\\w.$]*)([+-](?:0x[0-9a-fA-F]+|[0-9]+))?"
              + "(\\((?:%(\\w+))?(?:,\\s*%(\\w+)(?:,\\s*([1248]))?)?\\))?");

  private static final Pattern ARM_CONSTANT = Pattern.compile("#?" + NUMBER);
  private static final Pattern ARM_REGISTER = Pattern.compile("[xwXW](\\d+)|sp|SP");
  private static final Pattern ARM_MEMORY =
      Pattern.compile(
          "\\[\\s*([xwXW]\\d+|sp|SP)\\s*(?:,\\s*(?:#?" + NUMBER + "|([xX]\\d+)))?\\s*\\]");

  private static final Pattern X86_NUMBERED = Pattern.compile("r(8|9|1[0-5])[dwb]?");

  private UsdtArguments() {}

  /**
   * Parses a description; an operand that cannot be parsed is {@link UsdtArgument.Elsewhere}.
   *
   * @param text the arguments of the USDT note: {@code -4@%edi 8@-16(%rbp)}
   * @param architecture whose registers they name
   * @return one for each operand, in order
   */
  public static List<UsdtArgument> parse(String text, Architecture architecture) {
    List<UsdtArgument> arguments = new ArrayList<>();
    Matcher argument = ARGUMENT.matcher(text);
    while (argument.find()) {
      int size =
          argument.group(1) == null ? architecture.wordSize() : Integer.parseInt(argument.group(1));
      Operand operand =
          argument.group(2) != null
              ? new Elsewhere()
              : operand(argument.group(3), architecture).orElseGet(Elsewhere::new);
      Signedness signedness = size < 0 ? Signedness.SIGNED : Signedness.UNSIGNED;
      arguments.add(
          new UsdtArgument(IntType.of(Math.abs(size), signedness), operand, argument.group()));
    }
    return arguments;
  }

  private static Optional<Operand> operand(String text, Architecture architecture) {
    try {
      return switch (architecture.operands()) {
        case ATT -> x86(text);
        case ARM -> arm(text);
        case UNKNOWN -> Optional.empty();
      };
    } catch (NumberFormatException e) {
      // More than 64 bits.
      return Optional.empty();
    }
  }

  private static Optional<Operand> x86(String text) {
    Matcher constant = X86_CONSTANT.matcher(text);
    if (constant.matches()) {
      return Optional.of(new Constant(number(constant.group(1))));
    }
    Matcher register = X86_REGISTER.matcher(text);
    if (register.matches()) {
      String name = register.group(1);
      boolean isSecondByte = name.matches("[abcd]h");
      return x86Register(isSecondByte ? name.charAt(0) + "l" : name)
          .map(full -> new Register(full, isSecondByte ? Byte.SIZE : 0));
    }
    Matcher memory = X86_MEMORY.matcher(text);
    if (memory.matches()) {
      return x86Memory(memory, 2, offset(Optional.ofNullable(memory.group(1)))).map(found -> found);
    }
    Matcher symbol = X86_SYMBOL.matcher(text);
    if (symbol.matches()) {
      return x86Memory(
              symbol,
              5,
              offset(Optional.ofNullable(symbol.group(1)))
                  + offset(Optional.ofNullable(symbol.group(3))))
          .map(rest -> new AtSymbol(symbol.group(2), rest));
    }
    return Optional.empty();
  }

  private static long offset(Optional<String> text) {
    return text.map(UsdtArguments::number).orElse(0L);
  }

  /** Reads base, index and scale, which are groups that follow each other. */
  private static Optional<Memory> x86Memory(Matcher text, int first, long displacement) {
    Optional<String> base =
        Optional.ofNullable(text.group(first)).flatMap(UsdtArguments::x86Register);
    Optional<String> index =
        Optional.ofNullable(text.group(first + 1)).flatMap(UsdtArguments::x86Register);
    if (base.isPresent() != (text.group(first) != null)
        || index.isPresent() != (text.group(first + 1) != null)) {
      return Optional.empty();
    }
    int scale = text.group(first + 2) == null ? 1 : Integer.parseInt(text.group(first + 2));
    return Optional.of(new Memory(base, index, scale, displacement));
  }

  /** Returns the full register of a name that denotes its lower part. */
  private static Optional<String> x86Register(String name) {
    Matcher numbered = X86_NUMBERED.matcher(name);
    if (numbered.matches()) {
      return Optional.of("r" + numbered.group(1));
    }
    return switch (name) {
      case "rax", "eax", "ax", "al" -> Optional.of("rax");
      case "rbx", "ebx", "bx", "bl" -> Optional.of("rbx");
      case "rcx", "ecx", "cx", "cl" -> Optional.of("rcx");
      case "rdx", "edx", "dx", "dl" -> Optional.of("rdx");
      case "rsi", "esi", "si", "sil" -> Optional.of("rsi");
      case "rdi", "edi", "di", "dil" -> Optional.of("rdi");
      case "rbp", "ebp", "bp", "bpl" -> Optional.of("rbp");
      case "rsp", "esp", "sp", "spl" -> Optional.of("rsp");
      case "rip" -> Optional.of("rip");
      default -> Optional.empty();
    };
  }

  private static Optional<Operand> arm(String text) {
    Matcher constant = ARM_CONSTANT.matcher(text);
    if (constant.matches()) {
      return Optional.of(new Constant(number(constant.group(1))));
    }
    if (ARM_REGISTER.matcher(text).matches()) {
      return armRegister(text).map(name -> new Register(name, 0));
    }
    Matcher memory = ARM_MEMORY.matcher(text);
    if (!memory.matches()) {
      return Optional.empty();
    }
    return armRegister(memory.group(1))
        .map(
            base ->
                new Memory(
                    Optional.of(base),
                    Optional.ofNullable(memory.group(3)).flatMap(UsdtArguments::armRegister),
                    1,
                    memory.group(2) == null ? 0 : number(memory.group(2))));
  }

  /** Register 31 is the zero register, which pt_regs does not contain. */
  private static Optional<String> armRegister(String name) {
    if (name.equalsIgnoreCase("sp")) {
      return Optional.of("sp");
    }
    int number = Integer.parseInt(name.substring(1));
    return number <= 30 ? Optional.of("x" + number) : Optional.empty();
  }

  private static long number(String text) {
    boolean isNegative = text.startsWith("-");
    String digits = text.replaceFirst("^[+-]", "");
    long value =
        digits.startsWith("0x")
            ? Long.parseUnsignedLong(digits.substring(2), 16)
            : Long.parseUnsignedLong(digits);
    return isNegative ? -value : value;
  }
}
