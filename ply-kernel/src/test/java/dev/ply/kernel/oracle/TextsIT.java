package dev.ply.kernel.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.CharMatcher;
import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.generate.Numbers;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.FixedContent;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.verifier.VerificationReport;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.load.LoadedProgram;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What helpers make of constant texts, here and in the kernel: which formats they take, what they
 * write, how they compare. Programs are test-run, none is attached.
 */
@Tag("live")
@Tag("oldest")
class TextsIT {
  private static final boolean IS_GUEST = System.getProperty("ply.guest") != null;
  private static final int USUALLY = IS_GUEST ? 20 : 60;
  private static final int ROOM = 64;
  private static final BpfMap OUT = new BpfMap("out", MapType.ARRAY, 4, ROOM, 1);

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
    assumeTrue(
        new RunningKernel().version().isAtLeast(5, 17), "bpf_strncmp is there from Linux 5.17 on");
  }

  /** A format, room for what is written, and values. */
  private record Printing(String format, int room, List<Long> values) {
    List<BpfMap> maps() {
      return List.of(OUT, BpfMap.constants("format", FixedContent.ofTexts(format)));
    }

    BpfProgram program() {
      StringBuilder code = new StringBuilder();
      for (int i = 0; i < values.size(); i++) {
        code.append("r1 = 0x").append(Long.toHexString(values.get(i))).append('\n');
        code.append("*(u64 *)(r10 -").append(8 * (values.size() - i)).append(") = r1\n");
      }
      code.append("r1 = map[out][0]+0\nr2 = ").append(room);
      code.append("\nr3 = map[format][0]+0\nr4 = r10\nr4 += ").append(-8 * values.size());
      code.append("\nr5 = ").append(8 * values.size()).append("\ncall bpf_snprintf\nexit\n");
      return assembled(code.toString());
    }
  }

  private static BpfProgram assembled(String code) {
    return new BpfProgram(
        "texts", ProgramType.RAW_TRACEPOINT, 8, Assembler.assemble("texts", code));
  }

  private static Arbitrary<Printing> printings() {
    Arbitrary<String> parts =
        Arbitraries.of(
            "%",
            "%%", "%d", "%5d", "%-5u|", "%05d", "%lld", "%lx", "%llX", "%c", "%s", "%08llx", "%+d",
            "% d", "%i", "%3c", "%-3c|", "%5s|", "%pK", "%px", "%pB", "%pks", "%pi4", "%p", "l",
            "a", " ", ".", "x", "s", "\t", "é", "%2$d", "%hd", "%ld");
    return Combinators.combine(
            parts.list().ofMaxSize(4).map(list -> String.join("", list)),
            Arbitraries.integers().between(0, ROOM),
            Numbers.longs().list().ofMinSize(1).ofMaxSize(3))
        .as(Printing::new);
  }

  /** {@code -Dharness.formats=N} formats. */
  @Test
  void formatsAreTakenAndFilledInAlike() {
    Search.of("harness.formats", USUALLY).check(TextsIT::printings, TextsIT::compare);
  }

  private static void compare(Printing printing) {
    BpfProgram program = printing.program();
    VerificationReport ours = new Verifier(printing.maps()).verify(program);
    try (KernelVerdicts kernel = new KernelVerdicts(printing.maps());
        KernelVerdicts.Verdict verdict = kernel.of(program)) {
      // Some kernels take any bytes in formats, ours takes what all do.
      boolean isAscii = CharMatcher.ascii().matchesAllOf(printing.format());
      assertThat(ours.isAccepted())
          .as(ours.violations() + verdict.log())
          .isEqualTo(isAscii && verdict.isAccepted());
      // Addresses are printed as numbers that only the kernel knows.
      if (ours.isAccepted() && !printing.format().contains("%p")) {
        LoadedProgram loaded = verdict.program().orElseThrow();
        VirtualMachine machine = new VirtualMachine(printing.maps(), 1);
        int result = (int) machine.run(program, new byte[8], Task.of(1, "a"));
        assertThat(result).isEqualTo(loaded.testRun(new long[1]));
        ByteBuffer inKernel = kernel.map("out").lookup(new byte[4]).orElseThrow().get(0);
        byte[] written = new byte[ROOM];
        inKernel.get(0, written);
        int length = Math.max(0, Math.min(result, printing.room()));
        assertThat(text(machine.map("out").lookup(new byte[4]).orElseThrow().get(0), length))
            .isEqualTo(text(written, length));
      }
    }
  }

  private static String text(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  /** A text, how much of it counts, and one to compare it with, which may lack its NUL. */
  private record Comparison(String text, int size, String constant, boolean ends, int from) {
    List<BpfMap> maps() {
      byte[] bytes = (constant + (ends ? "\0" : "")).getBytes(StandardCharsets.UTF_8);
      return List.of(BpfMap.constants("text", FixedContent.of(bytes)));
    }

    BpfProgram program() {
      byte[] bytes = new byte[16];
      byte[] own = text.getBytes(StandardCharsets.UTF_8);
      System.arraycopy(own, 0, bytes, 0, own.length);
      StringBuilder code = new StringBuilder();
      for (int i = 0; i < bytes.length; i++) {
        code.append("*(u8 *)(r10 -").append(16 - i).append(") = ").append(bytes[i]).append('\n');
      }
      code.append("r1 = r10\nr1 += -16\nr2 = ").append(size);
      code.append("\nr3 = map[text][0]+").append(from).append("\ncall bpf_strncmp\nexit\n");
      return assembled(code.toString());
    }
  }

  private static Arbitrary<Comparison> comparisons() {
    return Combinators.combine(
            Numbers.texts(15),
            Arbitraries.integers().between(0, 16),
            Numbers.texts(15).filter(text -> !text.isEmpty()),
            Arbitraries.frequency(Tuple.of(6, true), Tuple.of(1, false)),
            Arbitraries.frequency(Tuple.of(4, 0), Tuple.of(1, 2)))
        .as(Comparison::new);
  }

  /** As many comparisons. */
  @Test
  void textsCompareAlike() {
    Search.of("harness.formats", USUALLY)
        .check(
            TextsIT::comparisons,
            comparison -> {
              BpfProgram program = comparison.program();
              VerificationReport ours = new Verifier(comparison.maps()).verify(program);
              try (KernelVerdicts kernel = new KernelVerdicts(comparison.maps());
                  KernelVerdicts.Verdict verdict = kernel.of(program)) {
                assertThat(ours.isAccepted())
                    .as(ours.violations() + verdict.log())
                    .isEqualTo(verdict.isAccepted());
                if (ours.isAccepted()) {
                  VirtualMachine machine = new VirtualMachine(comparison.maps(), 1);
                  int result = (int) machine.run(program, new byte[8], Task.of(1, "a"));
                  // By how much they differ is up to the processor's code.
                  assertThat(Integer.signum(result))
                      .isEqualTo(
                          Integer.signum(verdict.program().orElseThrow().testRun(new long[1])));
                }
              }
            });
  }
}
