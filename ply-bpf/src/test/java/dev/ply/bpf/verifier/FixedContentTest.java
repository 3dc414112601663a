package dev.ply.bpf.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.FixedContent;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.verifier.rule.FormatRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Maps that nobody changes, and the texts in them that helpers take. */
class FixedContentTest {
  private static final List<BpfMap> MAPS =
      List.of(
          BpfMap.constants("texts", FixedContent.ofTexts("%d of %d", "%z", "word")),
          BpfMap.constants("open", FixedContent.of("no end".getBytes(StandardCharsets.US_ASCII))),
          new BpfMap("counts", MapType.ARRAY, 4, 16, 1));

  private static List<String> violations(String code) {
    BpfProgram program =
        new BpfProgram(
            "fixed",
            ProgramType.RAW_TRACEPOINT,
            8,
            Assembler.assemble("fixed", code + "\nr0 = 0\nexit\n"));
    return new Verifier(MAPS)
        .verify(program).violations().stream().map(Violation::message).toList();
  }

  private static List<String> snprintf(String format, int sizeOfValues) {
    return violations(
        """
        *(u64 *)(r10 -8) = 1
        *(u64 *)(r10 -16) = 2
        r1 = map[counts][0]+0
        r2 = 16
        r3 = %s
        r4 = r10
        r4 += -16
        r5 = %d
        call bpf_snprintf
        """
            .formatted(format, sizeOfValues));
  }

  @Test
  void formatsAreStrings() {
    assertThat(snprintf("map[texts][0]+0", 16)).isEmpty();
    assertThat(snprintf("map[texts][0]+12", 0)).isEmpty();
    assertThat(snprintf("map[texts][0]+0", 8))
        .containsExactly("the format in r3 has more conversions than its 1 values");
    assertThat(snprintf("map[texts][0]+9", 8))
        .containsExactly("the format in r3 has an unknown conversion at 0");
    assertThat(snprintf("map[texts][0]+0", 12))
        .containsExactly(
            "snprintf takes 8-byte values, whose total size r5 must hold as a constant");
  }

  @Test
  void stringsAreInFrozenMapsAndNulTerminated() {
    assertThat(snprintf("map[counts][0]+0", 16))
        .containsExactly("snprintf takes a string in a read-only map, which r3 is not");
    assertThat(snprintf("r10", 16))
        .containsExactly("snprintf takes a string in a read-only map, which r3 is not");
    assertThat(snprintf("map[open][0]+0", 16))
        .containsExactly("the string at offset 0 of the 6-byte value of map \"open\" has no NUL");
  }

  @Test
  void stringsHaveAConstantAddress() {
    assertThat(
            violations(
                """
                *(u64 *)(r10 -8) = 1
                r3 = *(u64 *)(r1 +0)
                r3 &= 7
                r4 = map[texts][0]+0
                r3 += r4
                r1 = r10
                r1 += -8
                r2 = 8
                call bpf_strncmp
                """))
        .containsExactly("strncmp takes a string at a constant address, which r3 is not");
  }

  @Test
  void frozenMapsAreReadOnly() {
    assertThat(violations("r1 = map[texts][0]+0\nr2 = *(u32 *)(r1 +4)")).isEmpty();
    assertThat(violations("r1 = map[texts][0]+0\n*(u32 *)(r1 +0) = 1"))
        .containsExactly("r1 is the 17-byte value of map \"texts\", which is frozen");
    assertThat(violations("r1 = map[texts][0]+0\nr2 = 8\ncall bpf_get_current_comm"))
        .containsExactly("r1 is the 17-byte value of map \"texts\", which is frozen");
    assertThat(
            violations(
                """
                *(u32 *)(r10 -4) = 0
                r1 = map[texts]
                r2 = r10
                r2 += -4
                r3 = map[texts][0]+0
                r4 = 0
                call bpf_map_update_elem
                """))
        .containsExactly("map \"texts\" is frozen");
  }

  @Test
  void nullIsMemoryOfSizeZero() {
    String code =
        """
        r1 = 0
        r2 = %d
        r3 = map[texts][0]+12
        r4 = 0
        r5 = 0
        call bpf_snprintf
        """;
    assertThat(violations(code.formatted(0))).isEmpty();
    assertThat(violations(code.formatted(1)))
        .containsExactly("r1 is null, but the size in r2 may be above 0");
  }

  @ParameterizedTest
  @CsvSource({
    "%d%%, true", "%-08lld, true", "%5c, true", "%s., true", "%sx, false", "%p, true", "%pK, true",
    "%pks, true", "%pksx, false", "%pk, false", "%pI4, true", "%pI5, false", "%l, false",
        "%lc, false",
    "%, false", "%hd, false", "%lx, true"
  })
  void conversionsMatchTheKernel(String format, boolean known) {
    assertThat(FormatRules.problem(format.getBytes(StandardCharsets.US_ASCII), 1).isEmpty())
        .isEqualTo(known);
  }
}
