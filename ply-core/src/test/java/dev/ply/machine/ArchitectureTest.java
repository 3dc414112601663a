package dev.ply.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArchitectureTest {
  /** Offsets in bytes, counted by hand in the kernel's headers. */
  @ParameterizedTest
  @CsvSource({
    "X86_64, 168, 112, 88, 6, 80, 128, 152",
    "AARCH64, 272, 0, 24, 8, 0, 256, 248",
    "ARM, 72, 0, 12, 4, 0, 60, 52",
    "RISCV64, 288, 80, 104, 8, 80, 0, 16",
    "RISCV32, 144, 40, 52, 8, 40, 0, 8",
    "PPC64LE, 352, 24, 48, 8, 24, 256, 8",
    "PPC64, 352, 24, 48, 8, 24, 256, 8",
    "PPC, 176, 12, 24, 8, 12, 128, 4",
    "MIPS, 184, 48, 60, 4, 40, 180, 148",
    "MIPSEL, 184, 48, 60, 4, 40, 180, 148",
    "MIPS64, 304, 32, 56, 8, 16, 296, 232",
    "MIPS64EL, 304, 32, 56, 8, 16, 296, 232",
    "LOONGARCH64, 320, 32, 56, 8, 32, 264, 24",
    "S390X, 160, 40, 64, 5, 40, 16, 144",
  })
  void registersStandWhereTheKernelPutsThem(
      Architecture architecture,
      int size,
      int firstArgument,
      int fourthArgument,
      int arguments,
      int returnValue,
      int programCounter,
      int stackPointer) {
    assertThat(architecture.registersSize()).isEqualTo(size);
    assertThat(architecture.argumentOffset(0)).contains(firstArgument);
    assertThat(architecture.argumentOffset(3)).contains(fourthArgument);
    assertThat(architecture.argumentRegisters()).isEqualTo(arguments);
    assertThat(architecture.argumentOffset(arguments)).isEmpty();
    assertThat(architecture.returnValueOffset()).isEqualTo(returnValue);
    assertThat(architecture.programCounterOffset()).isEqualTo(programCounter);
    assertThat(architecture.stackPointerOffset()).isEqualTo(stackPointer);
  }

  @ParameterizedTest
  @EnumSource
  void everyMemberStandsWhereTheKernelsHeadersSay(Architecture architecture) throws IOException {
    StringBuilder table = new StringBuilder(architecture.name());
    for (String name : architecture.registers()) {
      int offset = architecture.registerOffset(name).orElseThrow();
      table.append(' ').append(name).append('=').append(offset);
    }
    try (InputStream facts = ArchitectureTest.class.getResourceAsStream("pt_regs.txt")) {
      assertThat(new String(Objects.requireNonNull(facts).readAllBytes(), StandardCharsets.UTF_8))
          .contains("\n" + table + "\n");
    }
  }

  @Test
  void argumentsTravelAsTheCallingConventionsSay() {
    assertThat(Architecture.X86_64.argumentNames())
        .containsExactly("rdi", "rsi", "rdx", "rcx", "r8", "r9");
    assertThat(Architecture.RISCV64.argumentNames()).hasSize(8).endsWith("a7");
    assertThat(Architecture.PPC.argumentNames()).hasSize(8).startsWith("gpr3").endsWith("gpr10");
    assertThat(Architecture.ARM.argumentNames()).containsExactly("r0", "r1", "r2", "r3");
  }

  @ParameterizedTest
  @EnumSource
  void everyRegisterHasOneNameAndEveryArgumentARegister(Architecture architecture) {
    assertThat(architecture.registers()).doesNotHaveDuplicates();
    for (int i = 0; i < architecture.argumentRegisters(); i++) {
      assertThat(architecture.argumentOffset(i)).isPresent();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyArchitectureHasPcAndSp(Architecture architecture) {
    assertThat(architecture.registers())
        .contains(
            architecture.register("pc").orElseThrow(), architecture.register("sp").orElseThrow());
    assertThat(architecture.register("nonsense")).isEmpty();
  }

  @Test
  void javaAndTheKernelMayNameAnArchitectureDifferently() {
    assertThat(Architecture.named("amd64")).contains(Architecture.X86_64);
    assertThat(Architecture.named("x86_64")).contains(Architecture.X86_64);
    assertThat(Architecture.named("s390x")).contains(Architecture.S390X);
    assertThat(Architecture.named("sparc")).isEmpty();
    assertThat(Architecture.named(System.getProperty("os.arch"))).isPresent();
  }

  @Test
  void bigEndianMachinesSaySo() {
    assertThat(Architecture.S390X.byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(Architecture.MIPS.byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(Architecture.PPC64LE.byteOrder()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void registersHaveTheKernelsNames() {
    assertThat(Architecture.X86_64.kernelNames())
        .containsExactly(
            "r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags sp ss"
                .split(" "));
    assertThat(Architecture.X86_64.registerOfKernel("ax")).contains("rax");
    assertThat(Architecture.X86_64.registerOfKernel("rax")).isEmpty();
    assertThat(Architecture.X86_64.registerOfKernel("r10")).contains("r10");
    assertThat(Architecture.AARCH64.kernelNames()).isEqualTo(Architecture.AARCH64.registers());
    assertThat(Architecture.AARCH64.registerOfKernel("ax")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void filesOfCodeAreOfTheirArchitecture(Architecture architecture) {
    int machine =
        switch (architecture) {
          case X86_64 -> 62;
          case AARCH64 -> 183;
          case ARM -> 40;
          case RISCV64, RISCV32 -> 243;
          case PPC64LE, PPC64 -> 21;
          case PPC -> 20;
          case MIPS, MIPSEL, MIPS64, MIPS64EL -> 8;
          case LOONGARCH64 -> 258;
          case S390X -> 22;
        };
    assertThat(Architecture.ofElf(machine, architecture.wordSize(), architecture.byteOrder()))
        .contains(architecture);
  }

  @Test
  void filesOfOtherCodeAreOfNone() {
    assertThat(Architecture.ofElf(3, 4, ByteOrder.LITTLE_ENDIAN)).isEmpty();
    assertThat(Architecture.ofElf(62, 8, ByteOrder.BIG_ENDIAN)).isEmpty();
    // x32 has the registers of x86-64.
    assertThat(Architecture.ofElf(62, 4, ByteOrder.LITTLE_ENDIAN)).contains(Architecture.X86_64);
  }

  @Test
  void debugInformationNumbersRegisters() {
    assertThat(Architecture.X86_64.debugRegister(5)).contains("rdi");
    assertThat(Architecture.X86_64.debugRegister(16)).isEmpty();
    assertThat(Architecture.AARCH64.debugRegister(30)).contains("x30");
    assertThat(Architecture.AARCH64.debugRegister(31)).isEmpty();
    assertThat(Architecture.S390X.debugRegister(0)).isEmpty();
  }
}
