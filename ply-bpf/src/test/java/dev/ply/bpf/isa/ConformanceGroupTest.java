package dev.ply.bpf.isa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.machine.KernelVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConformanceGroupTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "w1 += 2 ; BASE32 ; 3.18",
        "r1 += 2 ; BASE64 ; 3.18",
        "w1 *= w2 ; DIVMUL32 ; 3.18",
        "r1 /= 3 ; DIVMUL64 ; 3.18",
        "r1 s%= r2 ; DIVMUL64 ; 6.6",
        "w1 s/= w2 ; DIVMUL32 ; 6.6",
        "w1 = -w1 ; BASE32 ; 3.18",
        "r1 = -r1 ; BASE64 ; 3.18",
        "w1 = (s8)w2 ; BASE32 ; 6.6",
        "r1 = (s32)r2 ; BASE64 ; 6.6",
        "r1 = be16 r1 ; BASE32 ; 3.18",
        "r1 = le64 r1 ; BASE64 ; 3.18",
        "r1 = bswap32 r1 ; BASE32 ; 6.6",
        "r1 = 0x5 ; BASE64 ; 3.18",
        "r1 = map[m] ; BASE64 ; 3.18",
        "r1 = map[m][0]+8 ; BASE64 ; 5.2",
        "r1 = mapidx[2] ; BASE64 ; 5.14",
        "r1 = btf[2] ; BASE64 ; 5.10",
        "r1 = *(u32 *)(r2 +4) ; BASE32 ; 3.18",
        "r1 = *(u64 *)(r2 +4) ; BASE64 ; 3.18",
        "r1 = *(s16 *)(r2 +4) ; BASE32 ; 6.6",
        "*(u8 *)(r2 +4) = 1 ; BASE32 ; 3.18",
        "*(u64 *)(r2 +4) = r1 ; BASE64 ; 3.18",
        "lock *(u32 *)(r2 +4) += r1 ; ATOMIC32 ; 3.18",
        "lock *(u64 *)(r2 +4) |= r1 ; ATOMIC64 ; 5.12",
        "r1 = atomic64_xchg((u64 *)(r2 +4), r1) ; ATOMIC64 ; 5.12",
        "r0 = *(u8 *)skb[4] ; PACKET ; 3.18",
        "if r1 > 0x5 goto L ; BASE64 ; 3.18",
        "if r1 s<= 0x5 goto L ; BASE64 ; 4.14",
        "if w1 == w2 goto L ; BASE32 ; 5.1",
        "goto L ; BASE32 ; 3.18",
        "call L ; BASE32 ; 4.16",
        "call global L ; BASE32 ; 5.6",
        "call bpf_loop ; BASE32 ; 5.17",
        "call kernel-function#7 ; BASE32 ; 5.13",
        "exit ; BASE32 ; 3.18"
      })
  void everyInstructionHasAGroupAndAFirstKernel(String text, ConformanceGroup group, String since) {
    Instruction instruction = Assembler.assemble("test", text + "\nL: exit").get(0);
    assertThat(ConformanceGroup.of(instruction)).isEqualTo(group);
    assertThat(FirstKernel.of(instruction)).isEqualTo(KernelVersion.parse(since));
  }

  @Test
  void groups64IncludeGroups32() {
    assertThat(ConformanceGroup.BASE64.includes(ConformanceGroup.BASE32)).isTrue();
    assertThat(ConformanceGroup.BASE32.includes(ConformanceGroup.BASE64)).isFalse();
    assertThat(ConformanceGroup.ATOMIC64.includes(ConformanceGroup.ATOMIC32)).isTrue();
    assertThat(ConformanceGroup.DIVMUL64.includes(ConformanceGroup.DIVMUL64)).isTrue();
    assertThat(ConformanceGroup.PACKET.includes(ConformanceGroup.BASE32)).isFalse();
  }
}
