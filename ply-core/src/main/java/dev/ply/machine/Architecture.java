package dev.ply.machine;

import static dev.ply.machine.PtRegs.range;
import static dev.ply.machine.PtRegs.words;
import static dev.ply.machine.Row.row;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What differs between processors, a row each: word size, byte order, where a kernel function's
 * arguments and result stand in the registers that a probe sees, the kernel's struct pt_regs, and
 * what compilers, debug information and the kernel do differently. What a row does not say is as on
 * most, or not supported there.
 *
 * <p>The order of members is that of the kernel's own structure in {@code
 * arch/<name>/include/asm/ptrace.h}, with {@code <name>} as below; on some architectures the one
 * that user space knows differs.
 */
@SuppressWarnings("ImmutableEnumChecker") // rows are complete before anybody reads them
public enum Architecture {
  /** AMD and Intel, 64 bits (x86; System V calling convention). */
  X86_64(
      row(8, LITTLE_ENDIAN, "amd64 x86_64")
          .registers(
              words(
                  "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags"
                      + " rsp ss"))
          .arguments(words("rdi rsi rdx rcx r8 r9"))
          .special("rax", "rip", "rsp")
          .kernelNames(
              "r",
              "ax=rax bx=rbx cx=rcx dx=rdx si=rsi di=rdi bp=rbp sp=rsp ip=rip orig_ax=orig_rax"
                  + " flags=eflags")
          .instructions(1)
          .breakpoint(1)
          .returnAddress(8)
          .elf(62)
          .decodes(62, InstructionSet.X86_64)
          .decodes(3, InstructionSet.I386)
          .debugRegisters(words("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15"))
          .operands(OperandSyntax.ATT)
          .systemCalls(SystemCallTable.X86_64)
          .systemCallRegisters("rdi rsi rdx r10 r8 r9", "orig_rax", "rcx=rip r11=eflags")
          .systemCallPrefix("__x64_sys_")
          // TS_COMPAT in the status of thread_info, the first member of task_struct; status follows
          // the 8-byte flags and, since Linux 5.11, syscall_work.
          .foreignCalls(new ForeignStatus(2, 8, new KernelVersion(5, 11, 0), 16))
          // Before, a program could interrupt itself, and updates were lost.
          .trampolines(
              new KernelVersion(5, 12, 0), "programs on trampolines may interrupt themselves")
          .loadsThread()
          // Since then it is one instruction.
          .loadsProcessor(new KernelVersion(6, 10, 0))
          .macros(
              "__x86_64 __x86_64__ __amd64 __amd64__ __k8 __k8__ __SSE__ __SSE2__"
                  + " __SIZEOF_FLOAT128__=16")),

  /** Arm, 64 bits (arm64; AAPCS64). */
  AARCH64(
      row(8, LITTLE_ENDIAN, "aarch64 arm64")
          .registers(range("x", 0, 30).and("sp pc pstate"))
          .arguments(range("x", 0, 7))
          .special("x0", "pc", "sp")
          .elf(183)
          .decodes(183, InstructionSet.AARCH64)
          .debugRegisters(range("x", 0, 30))
          .resultAddressElsewhere()
          .operands(OperandSyntax.ARM)
          .systemCalls(SystemCallTable.GENERIC)
          .userApi(UserApi.ARM)
          .trampolines(
              new KernelVersion(6, 4, 0), "functions of this architecture have no trampolines")
          .loadsThread()
          .unsignedCharacters()
          .unsignedWideCharacters()
          .strictBitFields()
          .macros("__aarch64__ __AARCH64EL__ __ARM_ARCH=8 __ARM_64BIT_STATE __ARM_NEON")),

  /** Arm, 32 bits (arm; AAPCS). */
  ARM(
      row(4, LITTLE_ENDIAN, "arm")
          .registers(range("r", 0, 10).and("fp ip sp lr pc cpsr orig_r0"))
          .arguments(range("r", 0, 3))
          .special("r0", "pc", "sp")
          .elf(40)
          .systemCalls(SystemCallTable.ARM)
          .userApi(UserApi.ARM)
          .unsignedCharacters()
          .unsignedWideCharacters()
          .strictBitFields()
          .macros("__arm__ __arm __ARMEL__ __ARM_EABI__ __ARM_ARCH=7")),

  /** RISC-V, 64 bits (riscv; {@code pc} is the kernel's epc). */
  RISCV64(
      row(8, LITTLE_ENDIAN, "riscv64")
          .registers(PtRegs.RISCV)
          .arguments(range("a", 0, 7))
          .special("a0", "pc", "sp")
          .instructions(2)
          .elf(243)
          .systemCalls(SystemCallTable.GENERIC)
          .unsignedCharacters()
          .macros("__riscv __riscv_xlen=64 __riscv_float_abi_double")),

  /** RISC-V, 32 bits (riscv). */
  RISCV32(
      row(4, LITTLE_ENDIAN, "riscv32")
          .registers(PtRegs.RISCV)
          .arguments(range("a", 0, 7))
          .special("a0", "pc", "sp")
          .instructions(2)
          .elf(243)
          .systemCalls(SystemCallTable.GENERIC_IN_PART)
          .unsignedCharacters()
          .macros("__riscv __riscv_xlen=32")),

  /** POWER, 64 bits, little-endian (powerpc; integer arguments in gpr3 to gpr10). */
  PPC64LE(
      row(8, LITTLE_ENDIAN, "ppc64le")
          .registers(PtRegs.POWER_64)
          .arguments(range("gpr", 3, 10))
          .special("gpr3", "nip", "gpr1")
          .elf(21)
          .systemCalls(SystemCallTable.POWER)
          .userApi(UserApi.POWER)
          .unsignedCharacters()
          .macros(
              "__powerpc64__ __powerpc__ __PPC64__ __PPC__ __ppc64__ __ppc__ _ARCH_PPC64 _ARCH_PPC"
                  + " _LITTLE_ENDIAN _CALL_ELF=2")),

  /** POWER, 64 bits, big-endian (powerpc). */
  PPC64(
      row(8, BIG_ENDIAN, "ppc64")
          .registers(PtRegs.POWER_64)
          .arguments(range("gpr", 3, 10))
          .special("gpr3", "nip", "gpr1")
          .elf(21)
          .systemCalls(SystemCallTable.POWER)
          .userApi(UserApi.POWER)
          .unsignedCharacters()
          .macros(
              "__powerpc64__ __powerpc__ __PPC64__ __PPC__ __ppc64__ __ppc__ _ARCH_PPC64 _ARCH_PPC"
                  + " _BIG_ENDIAN _CALL_ELF=1")),

  /** POWER, 32 bits, big-endian (powerpc). */
  PPC(
      row(4, BIG_ENDIAN, "ppc")
          .registers(PtRegs.POWER_32)
          .arguments(range("gpr", 3, 10))
          .special("gpr3", "nip", "gpr1")
          .elf(20)
          .systemCalls(SystemCallTable.POWER)
          .userApi(UserApi.POWER)
          .unsignedCharacters()
          .macros("__powerpc__ __PPC__ __ppc__ _ARCH_PPC _BIG_ENDIAN")),

  /** MIPS, 32 bits, big-endian (mips; o32: eight words of the stack precede the registers). */
  MIPS(
      row(4, BIG_ENDIAN, "mips")
          .registers(PtRegs.MIPS_O32)
          .arguments(range("a", 0, 3))
          .special("v0", "cp0_epc", "sp")
          .elf(8)
          .userApi(UserApi.MIPS)
          .macros("__mips__ __mips=32 _MIPSEB __MIPSEB__ _ABIO32 _MIPS_SIM=1")),

  /** MIPS, 32 bits, little-endian (mips; o32). */
  MIPSEL(
      row(4, LITTLE_ENDIAN, "mipsel")
          .registers(PtRegs.MIPS_O32)
          .arguments(range("a", 0, 3))
          .special("v0", "cp0_epc", "sp")
          .elf(8)
          .userApi(UserApi.MIPS)
          .macros("__mips__ __mips=32 _MIPSEL __MIPSEL__ _ABIO32 _MIPS_SIM=1")),

  /** MIPS, 64 bits, big-endian (mips; n64). */
  MIPS64(
      row(8, BIG_ENDIAN, "mips64")
          .registers(PtRegs.MIPS_N64)
          .arguments(range("a", 0, 7))
          .special("v0", "cp0_epc", "sp")
          .elf(8)
          .systemCalls(SystemCallTable.MIPS_N64)
          .userApi(UserApi.MIPS)
          .macros("__mips__ __mips=64 __mips64 _MIPSEB __MIPSEB__ _ABI64=3 _MIPS_SIM=3")),

  /** MIPS, 64 bits, little-endian (mips; n64). */
  MIPS64EL(
      row(8, LITTLE_ENDIAN, "mips64el")
          .registers(PtRegs.MIPS_N64)
          .arguments(range("a", 0, 7))
          .special("v0", "cp0_epc", "sp")
          .elf(8)
          .systemCalls(SystemCallTable.MIPS_N64)
          .userApi(UserApi.MIPS)
          .macros("__mips__ __mips=64 __mips64 _MIPSEL __MIPSEL__ _ABI64=3 _MIPS_SIM=3")),

  /**
   * LoongArch, 64 bits (loongarch; the first member is the zero register, {@code pc} is the
   * kernel's csr_era).
   */
  LOONGARCH64(
      row(8, LITTLE_ENDIAN, "loongarch64")
          .registers(
              words("zero ra tp sp")
                  .and(range("a", 0, 7))
                  .and(range("t", 0, 8))
                  .and("r21 fp")
                  .and(range("s", 0, 8))
                  .and("orig_a0 pc csr_badvaddr csr_crmd csr_prmd csr_euen csr_ecfg csr_estat"))
          .arguments(range("a", 0, 7))
          .special("a0", "pc", "sp")
          .elf(258)
          .systemCalls(SystemCallTable.GENERIC_IN_PART)
          .macros("__loongarch__ __loongarch64 __loongarch_grlen=64 __loongarch_lp64")),

  /** IBM Z, 64 bits (s390; a syscall argument and the program status word come first). */
  S390X(
      row(8, BIG_ENDIAN, "s390x")
          .registers(words("args psw_mask psw_addr").and(range("r", 0, 15)).and("orig_gpr2"))
          .arguments(range("r", 2, 6))
          .special("r2", "psw_addr", "r15")
          .instructions(2)
          .elf(22)
          .systemCalls(SystemCallTable.S390)
          .unsignedCharacters()
          .macros("__s390__ __s390x__ __zarch__"));

  @SuppressWarnings("ImmutableEnumChecker") // a record of unmodifiable facts
  private final Row row;

  Architecture(Row row) {
    this.row = row;
  }

  /**
   * {@return the architecture with this name in Java's {@code os.arch} or {@code uname -m}}
   *
   * @param osArch such as {@code amd64} or {@code x86_64}
   */
  public static Optional<Architecture> named(String osArch) {
    for (Architecture architecture : values()) {
      if (architecture.row.names.contains(osArch)) {
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
    return row.wordSize;
  }

  /** {@return the byte order} */
  public ByteOrder byteOrder() {
    return row.byteOrder;
  }

  /** {@return the size in bytes of the smallest instruction, of which addresses are multiples} */
  public int instructionSize() {
    return row.instructionSize;
  }

  /** {@return the members of struct pt_regs in memory order, one register each} */
  public List<String> registers() {
    return row.registers;
  }

  /** {@return the size of struct pt_regs in bytes} */
  public int registersSize() {
    return row.registers.size() * row.wordSize;
  }

  /** {@return the number of arguments passed in registers} */
  public int argumentRegisters() {
    return row.arguments.size();
  }

  /** {@return the argument registers, in order} */
  public List<String> argumentNames() {
    return row.arguments;
  }

  /**
   * {@return the offset in struct pt_regs of argument {@code index}, counted from 0, if it is
   * passed in a register}
   *
   * @param index counted from 0
   */
  public Optional<Integer> argumentOffset(int index) {
    return index < row.arguments.size()
        ? registerOffset(row.arguments.get(index))
        : Optional.empty();
  }

  /** {@return the syscall argument registers, in order; empty where unknown} */
  public List<String> systemCallArguments() {
    return row.systemCallArguments;
  }

  /** {@return the register that holds the syscall number until the syscall returns, where known} */
  public Optional<String> systemCallNumber() {
    return row.systemCallNumber;
  }

  /**
   * {@return registers that the syscall instruction overwrites, with the registers that it copies
   * to them; empty if there are none or it is unknown} On x86-64 they distinguish {@code syscall}
   * from the instructions of 32-bit programs (SYSCALL in Intel's manual, volume 2B).
   */
  public Map<String, String> systemCallCopies() {
    return row.systemCallCopies;
  }

  /**
   * {@return the prefix of functions that implement syscalls and receive the caller's registers,
   * where known; the rest is the name in the syscall's tracepoints}
   */
  public Optional<String> systemCallPrefix() {
    return row.systemCallPrefix;
  }

  /** {@return the offset in struct pt_regs of a function's result} */
  public int returnValueOffset() {
    return row.registers.indexOf(row.returnValue) * row.wordSize;
  }

  /** {@return the offset in struct pt_regs of the instruction pointer} */
  public int programCounterOffset() {
    return row.registers.indexOf(row.programCounter) * row.wordSize;
  }

  /** {@return the offset in struct pt_regs of the stack pointer} */
  public int stackPointerOffset() {
    return row.registers.indexOf(row.stackPointer) * row.wordSize;
  }

  /**
   * {@return the offset in struct pt_regs of the register of this name, if it exists}
   *
   * @param name a member of struct pt_regs
   */
  public Optional<Integer> registerOffset(String name) {
    int index = row.registers.indexOf(name);
    return index < 0 ? Optional.empty() : Optional.of(index * row.wordSize);
  }

  /**
   * {@return the register of a name of ours, or of the kernel's or gdb's, such as {@code ax}}
   *
   * @param name in lower case
   */
  public Optional<String> register(String name) {
    if (row.registers.contains(name)) {
      return Optional.of(name);
    }
    if (name.equals("pc") || name.equals("sp")) {
      return Optional.of(name.equals("pc") ? row.programCounter : row.stackPointer);
    }
    if (row.kernelNames.containsKey(name)) {
      return Optional.of(row.kernelNames.get(name));
    }
    return row.prefix.map(prefix -> prefix + name).filter(row.registers::contains);
  }

  /**
   * {@return the member of struct pt_regs that the kernel means by a name
   * (regs_query_register_offset), if any}
   *
   * @param name such as {@code ax}
   */
  public Optional<String> registerOfKernel(String name) {
    if (row.kernelNames.containsKey(name)) {
      return Optional.of(row.kernelNames.get(name));
    }
    return row.registers.contains(name) && !row.kernelNames.containsValue(name)
        ? Optional.of(name)
        : Optional.empty();
  }

  /** {@return the kernel's names of the members of struct pt_regs, in order} */
  public List<String> kernelNames() {
    List<String> names = new ArrayList<>(row.registers);
    row.kernelNames.forEach((name, member) -> names.set(names.indexOf(member), name));
    return names;
  }

  /**
   * {@return by how many bytes a kprobe's program counter is past the probed address: the size of
   * the breakpoint where that is so}
   */
  public int breakpointSize() {
    return row.breakpointSize;
  }

  /**
   * {@return the bytes of the return address that a call pushes on the stack, before arguments; 0
   * where it is in a register}
   */
  public int returnAddressSize() {
    return row.returnAddressSize;
  }

  /**
   * {@return the architecture of an ELF file, if known}
   *
   * @param machine {@code e_machine}
   * @param wordSize 8 for 64-bit files, else 4
   * @param order of its numbers
   */
  public static Optional<Architecture> ofElf(int machine, int wordSize, ByteOrder order) {
    Optional<Architecture> other = Optional.empty();
    for (Architecture architecture : values()) {
      Row row = architecture.row;
      if (row.elfMachine == machine && row.byteOrder.equals(order)) {
        if (row.wordSize == wordSize) {
          return Optional.of(architecture);
        }
        // x32: 32-bit files of 64-bit code.
        other = Optional.of(architecture);
      }
    }
    return other;
  }

  /**
   * {@return the machine code in an ELF file, if it is decoded: that of an architecture, or of
   * 32-bit programs on it}
   *
   * @param machine {@code e_machine}
   */
  public static Optional<InstructionSet> instructionSet(int machine) {
    return Arrays.stream(values())
        .flatMap(one -> Optional.ofNullable(one.row.decoded.get(machine)).stream())
        .findFirst();
  }

  /**
   * {@return the register that debug information means by a number, where known}
   *
   * @param number as in DWARF
   */
  public Optional<String> debugRegister(long number) {
    return number >= 0 && number < row.debugRegisters.size()
        ? Optional.of(row.debugRegisters.get((int) number))
        : Optional.empty();
  }

  /**
   * {@return whether the address of a result that is returned in memory is passed as the first
   * argument, not in a register of its own}
   */
  public boolean passesResultAddress() {
    return row.passesResultAddress;
  }

  /** {@return how USDT probes write the operands of their arguments} */
  public OperandSyntax operands() {
    return row.operands;
  }

  /** {@return whose system call numbers the kernel has} */
  public SystemCallTable systemCalls() {
    return row.systemCalls;
  }

  /** {@return the numbers of the kernel's interface that differ between architectures} */
  public UserApi userApi() {
    return row.userApi;
  }

  /** {@return how the kernel marks system calls with other numbers, if there are such} */
  public Optional<ForeignStatus> foreignCalls() {
    return row.foreignCalls;
  }

  /** {@return the kernel from which programs can be attached to trampolines, if any is known} */
  public Optional<KernelVersion> trampolines() {
    return row.trampolines;
  }

  /** {@return why older kernels have no trampolines for programs; empty if none has} */
  public String withoutTrampolines() {
    return row.withoutTrampolines;
  }

  /** {@return whether programs can load facts from the structure of the current thread} */
  public boolean loadsThread() {
    return row.loadsThread;
  }

  /** {@return the kernel from which reading the CPU's number costs next to nothing, if any} */
  public Optional<KernelVersion> loadsProcessor() {
    return row.loadsProcessor;
  }

  /** {@return whether C's char is unsigned} */
  public boolean hasUnsignedCharacters() {
    return row.hasUnsignedCharacters;
  }

  /** {@return whether C's wchar_t is unsigned} */
  public boolean hasUnsignedWideCharacters() {
    return row.hasUnsignedWideCharacters;
  }

  /** {@return whether bit-fields without a name align a structure, too} */
  public boolean hasStrictBitFields() {
    return row.hasStrictBitFields;
  }

  /** {@return the macros that C compilers predefine, each with its value} */
  public Map<String, String> macros() {
    Map<String, String> macros = new LinkedHashMap<>();
    for (String word : row.macros.split(" ", -1)) {
      int equals = word.indexOf('=');
      macros.put(
          equals < 0 ? word : word.substring(0, equals),
          equals < 0 ? "1" : word.substring(equals + 1));
    }
    return macros;
  }
}
