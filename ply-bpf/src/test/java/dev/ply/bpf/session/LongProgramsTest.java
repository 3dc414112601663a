package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.encoding.InstructionEncoder;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.object.BpfObject;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.lang.PlyScript;
import dev.ply.machine.Architecture;
import java.nio.ByteOrder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Long programs either encode, or fail with an error at the statement that exceeds the limit. */
@Tag("any-java")
class LongProgramsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3500 | print(1);",
        "1000 | if (pid == %d) { @ = 1; }",
        "1500 | @m%d = 1;",
        "500  | @m%d[pid] = count();",
        "1000 | @s = sum(%d);",
        "200  | $i = 0; while ($i < %d) { $i++; }",
        "400  | @a = str_concat(comm, comm);",
        "25   | print(str_concat(str(0, 1000), comm));",
        "1000 | if (comm == \"abc%d\") { @ = 1; }",
        "3000 | $v%d = pid; @ = $v%d;",
      })
  void longProgramsCanBeEncoded(int count, String statement) {
    InstructionEncoder encoder = new InstructionEncoder(ByteOrder.LITTLE_ENDIAN, String::hashCode);
    assertThat(compile("BEGIN { " + repeated(count, statement) + " }").programs())
        .allSatisfy(
            program ->
                assertThat(encoder.encode(program.program().code()).bytes())
                    .hasSize(8 * program.program().slots()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "print(1);",
        "if (pid == %d) { @ = 1; }",
        "@m%d = 1;",
        "@s = sum(%d);",
        "$i = 0; while ($i < %d) { $i++; }",
        "@a = str_concat(comm, comm);",
        "if (comm == \"abc%d\") { @ = 1; }",
      })
  void twentyThousandStatementsAreAnErrorAtTheFirstThatIsTooMuch(String statement) {
    Diagnostic error = error("BEGIN {\n" + repeated(20_000, statement + "\n") + "}");
    assertThat(error.code()).isEqualTo(DiagnosticCode.TOO_COMPLEX);
    assertThat(error.message()).contains("is longer than 100000 instructions");
    assertThat(error.span().line()).isBetween(100, 20_000);
  }

  @Test
  void loopsThatAreUnrolledInEachOtherHaveAnEnd() {
    assertThat(error("BEGIN { unroll (100) { unroll (100) { @++; } } }").message())
        .contains("is longer than 100000 instructions");
    String probes = repeated(20, "kprobe:f%d { unroll (40) { unroll (50) { @++; } } }\n");
    assertThat(error(probes).message()).contains("is longer than 500000 instructions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "print(\"LONG\");",
        "print((\"LONG\", 1));",
        "printf(\"%s\", \"LONG\");",
        "print(pid ? \"LONG\" : comm);",
        "assert(0, \"LONG\");",
        "print(buf(\"LONG\"));",
        "@ = \"LONG\";",
        "$s = \"LONG\"; print($s);",
        "print(str_concat(\"LONG\", comm));",
      })
  void stringsThatNoInstructionReachesAreAnError(String statement) {
    for (int length : new int[] {32_768, 33_000, 70_000}) {
      String text = statement.replace("LONG", "a".repeat(length));
      assertThat(error("BEGIN { " + text + " }").code()).isEqualTo(DiagnosticCode.TOO_COMPLEX);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "m[1] = m[2] + (pid << 255);",
        "m[1] = (pid << 255) + m[2];",
        "m[1] = m[2] + (pid < 0);",
        "m[1] = m[2] + (9223372036854775807 + 9223372036854775807);",
        "$x = 1; $y = m[2] + (pid << 255); m[2] = $y;",
        "m[1] += m[2] + (comm == \"a name that no thread can have\");",
      })
  void warningsDoNotKeepMapsFromHavingATypeByOtherOperands(String statement) {
    assertThat(compile("BEGIN { " + statement + " }").programs()).hasSize(1);
  }

  private static String repeated(int count, String statement) {
    return IntStream.range(0, count)
        .mapToObj(i -> statement.replace("%d", Integer.toString(i)))
        .collect(Collectors.joining(" "));
  }

  private static Diagnostic error(String script) {
    var refusal =
        assertThatExceptionOfType(CompilationException.class).isThrownBy(() -> compile(script));
    return refusal.actual().diagnostics().stream()
        .filter(one -> one.severity() == Severity.ERROR)
        .findFirst()
        .orElseThrow();
  }

  private static BpfObject compile(String script) {
    return new TraceCompiler(Stage.target(Architecture.X86_64), CompilerOptions.DEFAULT)
        .compile(PlyScript.parse(script));
  }
}
