package dev.ply.machine;

import static dev.ply.machine.PtRegs.range;
import static dev.ply.machine.PtRegs.words;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What differs between processors: word size, byte order, and where a kernel function's arguments
 * and result stand in the registers that a probe sees, the kernel's struct pt_regs.
 *
 * <p>The order of members is that of the kernel's own structure in {@code
 * arch/<name>/include/asm/ptrace.h}, with {@code <name>} as below; on some architectures the one
 * that user space knows differs.
 */
public enum Architecture {
  /** AMD and Intel, 64 bits (x86; System V calling convention). */
  X86_64(
      8,
      LITTLE_ENDIAN,
      words(
          "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp"
              + " ss"),
      words("rdi rsi rdx rcx r8 r9"),
      "rax",
      "rip",
      "rsp",
      words("amd64 x86_64")),

  /** Arm, 64 bits (arm64; AAPCS64). */
  AARCH64(
      8,
      LITTLE_ENDIAN,
      range("x", 0, 30).and("sp pc pstate"),
      range("x", 0, 7),
      "x0",
      "pc",
      "sp",
      words("aarch64 arm64")),

  /** Arm, 32 bits (arm; AAPCS). */
  ARM(
      4,
      LITTLE_ENDIAN,
      range("r", 0, 10).and("fp ip sp lr pc cpsr orig_r0"),
      range("r", 0, 3),
      "r0",
      "pc",
      "sp",
      words("arm")),

  /** RISC-V, 64 bits (riscv; {@code pc} is the kernel's epc). */
  RISCV64(8, LITTLE_ENDIAN, PtRegs.RISCV, range("a", 0, 7), "a0", "pc", "sp", words("riscv64")),

  /** RISC-V, 32 bits (riscv). */
  RISCV32(4, LITTLE_ENDIAN, PtRegs.RISCV, range("a", 0, 7), "a0", "pc", "sp", words("riscv32")),

  /** POWER, 64 bits, little-endian (powerpc; integer arguments in gpr3 to gpr10). */
  PPC64LE(
      8,
      LITTLE_ENDIAN,
      PtRegs.POWER_64,
      range("gpr", 3, 10),
      "gpr3",
      "nip",
      "gpr1",
      words("ppc64le")),

  /** POWER, 64 bits, big-endian (powerpc). */
  PPC64(8, BIG_ENDIAN, PtRegs.POWER_64, range("gpr", 3, 10), "gpr3", "nip", "gpr1", words("ppc64")),

  /** POWER, 32 bits, big-endian (powerpc). */
  PPC(4, BIG_ENDIAN, PtRegs.POWER_32, range("gpr", 3, 10), "gpr3", "nip", "gpr1", words("ppc")),

  /** MIPS, 32 bits, big-endian (mips; o32: eight words of the stack precede the registers). */
  MIPS(4, BIG_ENDIAN, PtRegs.MIPS_O32, range("a", 0, 3), "v0", "cp0_epc", "sp", words("mips")),

  /** MIPS, 32 bits, little-endian (mips; o32). */
  MIPSEL(
      4, LITTLE_ENDIAN, PtRegs.MIPS_O32, range("a", 0, 3), "v0", "cp0_epc", "sp", words("mipsel")),

  /** MIPS, 64 bits, big-endian (mips; n64). */
  MIPS64(8, BIG_ENDIAN, PtRegs.MIPS_N64, range("a", 0, 7), "v0", "cp0_epc", "sp", words("mips64")),

  /** MIPS, 64 bits, little-endian (mips; n64). */
  MIPS64EL(
      8,
      LITTLE_ENDIAN,
      PtRegs.MIPS_N64,
      range("a", 0, 7),
      "v0",
      "cp0_epc",
      "sp",
      words("mips64el")),

  /**
   * LoongArch, 64 bits (loongarch; the first member is the zero register, {@code pc} is the
   * kernel's csr_era).
   */
  LOONGARCH64(
      8,
      LITTLE_ENDIAN,
      words("zero ra tp sp")
          .and(range("a", 0, 7))
          .and(range("t", 0, 8))
          .and("r21 fp")
          .and(range("s", 0, 8))
          .and("orig_a0 pc csr_badvaddr csr_crmd csr_prmd csr_euen csr_ecfg csr_estat"),
      range("a", 0, 7),
      "a0",
      "pc",
      "sp",
      words("loongarch64")),

  /** IBM Z, 64 bits (s390; a syscall argument and the program status word come first). */
  S390X(
      8,
      BIG_ENDIAN,
      words("args psw_mask psw_addr").and(range("r", 0, 15)).and("orig_gpr2"),
      range("r", 2, 6),
      "r2",
      "psw_addr",
      "r15",
      words("s390x"));

  private static final List<String> SYSTEM_CALL_X86_64 =
      List.of("rdi", "rsi", "rdx", "r10", "r8", "r9");

  private static final ImmutableMap<String, String> COPIES_X86_64 =
      ImmutableMap.of("rcx", "rip", "r11", "eflags");

  private final int wordSize;
  private final ByteOrder byteOrder;
  private final ImmutableList<String> registers;
  private final ImmutableList<String> arguments;
  private final String returnValue;
  private final String programCounter;
  private final String stackPointer;
  private final ImmutableList<String> names;

  Architecture(
      int wordSize,
      ByteOrder byteOrder,
      PtRegs registers,
      PtRegs arguments,
      String returnValue,
      String programCounter,
      String stackPointer,
      PtRegs names) {
    this.wordSize = wordSize;
    this.byteOrder = byteOrder;
    this.registers = registers.names();
    this.arguments = arguments.names();
    this.returnValue = returnValue;
    this.programCounter = programCounter;
    this.stackPointer = stackPointer;
    this.names = names.names();
  }

  /**
   * {@return the architecture with this name in Java's {@code os.arch} or {@code uname -m}}
   *
   * @param osArch such as {@code amd64} or {@code x86_64}
   */
  public static Optional<Architecture> named(String osArch) {
    for (Architecture architecture : values()) {
      if (architecture.names.contains(osArch)) {
        return Optional.of(architecture);
      }
    }
    return Optional.empty();
  }

  /** {@return the kernel's name, as in {@code uname -m}} */
  public String canonicalName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@return the size of a register in bytes: 4 or 8} */
  public int wordSize() {
    return wordSize;
  }

  /** {@return the byte order} */
  public ByteOrder byteOrder() {
    return byteOrder;
  }

  /** {@return the size in bytes of the smallest instruction, of which addresses are multiples} */
  public int instructionSize() {
    return switch (this) {
      case X86_64 -> 1;
      case RISCV64, RISCV32, S390X -> 2;
      default -> 4;
    };
  }

  /** {@return the members of struct pt_regs in memory order, one register each} */
  public List<String> registers() {
    return registers;
  }

  /** {@return the size of struct pt_regs in bytes} */
  public int registersSize() {
    return registers.size() * wordSize;
  }

  /** {@return the number of arguments passed in registers} */
  public int argumentRegisters() {
    return arguments.size();
  }

  /** {@return the argument registers, in order} */
  public List<String> argumentNames() {
    return arguments;
  }

  /**
   * {@return the offset in struct pt_regs of argument {@code index}, counted from 0, if it is
   * passed in a register}
   *
   * @param index counted from 0
   */
  public Optional<Integer> argumentOffset(int index) {
    return index < arguments.size() ? registerOffset(arguments.get(index)) : Optional.empty();
  }

  /** {@return the syscall argument registers, in order; empty where unknown} */
  public List<String> systemCallArguments() {
    return this == X86_64 ? SYSTEM_CALL_X86_64 : List.of();
  }

  /** {@return the register that holds the syscall number until the syscall returns, where known} */
  public Optional<String> systemCallNumber() {
    return this == X86_64 ? Optional.of("orig_rax") : Optional.empty();
  }

  /**
   * {@return registers that the syscall instruction overwrites, with the registers that it copies
   * to them; empty if there are none or it is unknown} On x86-64 they distinguish {@code syscall}
   * from the instructions of 32-bit programs (SYSCALL in Intel's manual, volume 2B).
   */
  public Map<String, String> systemCallCopies() {
    return this == X86_64 ? COPIES_X86_64 : Map.of();
  }

  /**
   * {@return the prefix of functions that implement syscalls and receive the caller's registers,
   * where known; the rest is the name in the syscall's tracepoints}
   */
  public Optional<String> systemCallPrefix() {
    return this == X86_64 ? Optional.of("__x64_sys_") : Optional.empty();
  }

  /** {@return the offset in struct pt_regs of a function's result} */
  public int returnValueOffset() {
    return registers.indexOf(returnValue) * wordSize;
  }

  /** {@return the offset in struct pt_regs of the instruction pointer} */
  public int programCounterOffset() {
    return registers.indexOf(programCounter) * wordSize;
  }

  /** {@return the offset in struct pt_regs of the stack pointer} */
  public int stackPointerOffset() {
    return registers.indexOf(stackPointer) * wordSize;
  }

  /**
   * {@return the offset in struct pt_regs of the register of this name, if it exists}
   *
   * @param name a member of struct pt_regs
   */
  public Optional<Integer> registerOffset(String name) {
    int index = registers.indexOf(name);
    return index < 0 ? Optional.empty() : Optional.of(index * wordSize);
  }

  /**
   * {@return the register of a name of ours, or of the kernel's or gdb's, such as {@code ax}}
   *
   * @param name in lower case
   */
  public Optional<String> register(String name) {
    if (registers.contains(name)) {
      return Optional.of(name);
    }
    if (name.equals("pc") || name.equals("sp")) {
      return Optional.of(name.equals("pc") ? programCounter : stackPointer);
    }
    if (this != X86_64) {
      return Optional.empty();
    }
    return switch (name) {
      case "flags" -> Optional.of("eflags");
      case "orig_ax" -> Optional.of("orig_rax");
      default -> Optional.of("r" + name).filter(registers::contains);
    };
  }
}
