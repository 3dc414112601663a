package dev.ply.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.machine.UsdtArgument.AtSymbol;
import dev.ply.machine.UsdtArgument.Constant;
import dev.ply.machine.UsdtArgument.Elsewhere;
import dev.ply.machine.UsdtArgument.Memory;
import dev.ply.machine.UsdtArgument.Operand;
import dev.ply.machine.UsdtArgument.Register;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UsdtArgumentsTest {
  private static List<Operand> x86(String text) {
    return UsdtArguments.parse(text, Architecture.X86_64).stream()
        .map(UsdtArgument::operand)
        .toList();
  }

  private static List<Operand> arm(String text) {
    return UsdtArguments.parse(text, Architecture.AARCH64).stream()
        .map(UsdtArgument::operand)
        .toList();
  }

  private static Memory memory(String base, String index, int scale, long displacement) {
    return new Memory(
        Optional.of(base), Optional.of(index).filter(name -> !name.isEmpty()), scale, displacement);
  }

  @Test
  void aSizeHasASign() {
    assertThat(UsdtArguments.parse("-4@%esi 8@%rax 1@%dil -2@%cx %rdi", Architecture.X86_64))
        .extracting(UsdtArgument::type)
        .containsExactly(IntType.S32, IntType.U64, IntType.U8, IntType.S16, IntType.U64);
  }

  @Test
  void operandsOfX86() {
    assertThat(x86("8@$-5 4@$0x10 1@%ah 4@%r10d 8@%rip"))
        .containsExactly(
            new Constant(-5),
            new Constant(16),
            new Register("rax", 8),
            new Register("r10", 0),
            new Register("rip", 0));
    assertThat(x86("8@(%rdi) -4@-20(%rbp) 8@0x10(%rax,%rdx,4) 8@(%rax,%rdx) 4@8(,%rcx,8)"))
        .containsExactly(
            memory("rdi", "", 1, 0),
            memory("rbp", "", 1, -20),
            memory("rax", "rdx", 4, 16),
            memory("rax", "rdx", 1, 0),
            new Memory(Optional.empty(), Optional.of("rcx"), 8, 8));
  }

  /** Anybody may have written them. */
  @Test
  void numbersOfMoreThan64BitsAreNoOperands() {
    String number = "9".repeat(40);
    assertThat(x86("8@$" + number + " 8@" + number + "(%rbp) 8@%rax"))
        .containsExactly(new Elsewhere(), new Elsewhere(), new Register("rax", 0));
    assertThat(arm("8@x" + number + " 8@" + number))
        .containsExactly(new Elsewhere(), new Elsewhere());
    assertThat(x86("x-".repeat(512))).containsExactly(new Elsewhere());
  }

  @Test
  void operandsOfArm() {
    assertThat(arm("8@x0 -4@w21 8@sp 4@17 -4@[sp, 60] 8@[x1] 8@[x2, x3] 4@[x0, -8]"))
        .containsExactly(
            new Register("x0", 0),
            new Register("x21", 0),
            new Register("sp", 0),
            new Constant(17),
            memory("sp", "", 1, 60),
            memory("x1", "", 1, 0),
            memory("x2", "x3", 1, 0),
            memory("x0", "", 1, -8));
  }

  @Test
  void whatIsNotUnderstoodIsElsewhere() {
    assertThat(x86("8f@%xmm0 8@%xmm1 4@counter(%rip) 8@%rax"))
        .containsExactly(
            new Elsewhere(),
            new Elsewhere(),
            new AtSymbol("counter", new Memory(Optional.of("rip"), Optional.empty(), 1, 0)),
            new Register("rax", 0));
    assertThat(UsdtArguments.parse("", Architecture.X86_64)).isEmpty();
  }
}
