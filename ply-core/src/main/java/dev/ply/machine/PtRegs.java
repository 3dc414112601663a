package dev.ply.machine;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/**
 * Members of struct pt_regs in memory order, composed of names and numbered ranges. Plain lists and
 * loops, since all architectures are initialised at each startup.
 */
record PtRegs(ImmutableList<String> names) {
  /** RISC-V, 32 and 64 bits. */
  static final PtRegs RISCV =
      words("pc ra sp gp tp t0 t1 t2 s0 s1")
          .and(range("a", 0, 7))
          .and(range("s", 2, 11))
          .and(range("t", 3, 6))
          .and("status badaddr cause orig_a0");

  private static final PtRegs POWER_BEGIN =
      range("gpr", 0, 31).and("nip msr orig_gpr3 ctr link xer ccr");

  /** POWER, 64 bits: {@code softe} in place of the 32-bit {@code mq}. */
  static final PtRegs POWER_64 = POWER_BEGIN.and("softe trap dar dsisr result");

  /** POWER, 32 bits. */
  static final PtRegs POWER_32 = POWER_BEGIN.and("mq trap dar dsisr result");

  private static final PtRegs MIPS_END =
      words("s0 s1 s2 s3 s4 s5 s6 s7 t8 t9 k0 k1 gp sp fp ra")
          .and("cp0_status hi lo cp0_badvaddr cp0_cause cp0_epc");

  /** MIPS o32: preceded by the argument slots of the caller's stack frame. */
  static final PtRegs MIPS_O32 =
      range("uarg", 0, 7)
          .and("zero at v0 v1")
          .and(range("a", 0, 3))
          .and(range("t", 0, 7))
          .and(MIPS_END);

  /** MIPS n64: four more argument registers in place of temporaries. */
  static final PtRegs MIPS_N64 =
      words("zero at v0 v1").and(range("a", 0, 7)).and(range("t", 4, 7)).and(MIPS_END);

  /** Returns the names in {@code text}, separated by spaces. */
  static PtRegs words(String text) {
    return new PtRegs(ImmutableList.copyOf(text.split(" ", -1)));
  }

  /** Returns {@code prefix} followed by each number from {@code first} to {@code last}. */
  static PtRegs range(String prefix, int first, int last) {
    List<String> names = new ArrayList<>();
    for (int number = first; number <= last; number++) {
      names.add(prefix + number);
    }
    return new PtRegs(ImmutableList.copyOf(names));
  }

  /** Returns these names and then {@code more}. */
  PtRegs and(PtRegs more) {
    List<String> all = new ArrayList<>(names);
    all.addAll(more.names);
    return new PtRegs(ImmutableList.copyOf(all));
  }

  /** Returns these names and then those in {@code text}, separated by spaces. */
  PtRegs and(String text) {
    return and(words(text));
  }
}
