package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.encoding.InstructionDecoder;
import dev.ply.bpf.encoding.InstructionEncoder;
import dev.ply.bpf.encoding.InvalidEncodingException;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.vm.Engine;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.VmOptions;
import dev.ply.bpf.vm.memory.VmFault;
import dev.ply.diagnostic.CompilationException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The vectors of the bpf_conformance suite, from the directory that {@code -Dconformance.vectors}
 * names: each gives its result on the virtual machine, interpreted and translated, and survives
 * assembler and disassembler.
 */
class BpfConformanceTest {
  private static final String DIRECTORY = System.getProperty("conformance.vectors", "");

  @TestFactory
  Stream<DynamicTest> vectors() throws IOException {
    assumeTrue(!DIRECTORY.isEmpty(), "-Dconformance.vectors names no directory of vectors");
    List<Path> files;
    try (Stream<Path> entries = Files.list(Path.of(DIRECTORY))) {
      files = entries.filter(file -> file.toString().endsWith(".data")).sorted().toList();
    }
    return files.stream()
        .map(file -> dynamicTest(file.getFileName().toString(), () -> check(file)));
  }

  /**
   * The programs that a machine must refuse, from the directory {@code -Dconformance.negatives}.
   */
  @TestFactory
  Stream<DynamicTest> negatives() throws IOException {
    String directory = System.getProperty("conformance.negatives", "");
    assumeTrue(!directory.isEmpty(), "-Dconformance.negatives names no directory of vectors");
    try (Stream<Path> entries = Files.list(Path.of(directory))) {
      List<Path> files =
          entries.filter(file -> file.toString().endsWith(".data")).sorted().toList();
      return files.stream()
          .map(file -> dynamicTest(file.getFileName().toString(), () -> checkNegative(file)));
    }
  }

  private static void checkNegative(Path file) throws IOException {
    ConformanceVector.Negative vector = ConformanceVector.Negative.read(file);
    long result;
    try {
      List<Instruction> program =
          vector.bytes().isEmpty()
              ? Assembler.assembleMnemonics("vector", vector.assembly())
              : new InstructionDecoder(ByteOrder.LITTLE_ENDIAN, fd -> "map" + fd)
                  .decode(HexFormat.of().parseHex(vector.bytes()));
      result = run(program, vector.memory());
    } catch (CompilationException
        | InvalidEncodingException
        | VmFault
        | IllegalArgumentException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      return;
    }
    assertThat(vector.result()).isPresent().get().isNotEqualTo(result);
  }

  @Test
  void aVectorIsReadAndRun() throws IOException {
    ConformanceVector vector =
        new ConformanceVector(
            """
            ldxh %r0, [%r1+1]
            be16 %r0
            jeq32 %r0, 0xbbcc, +1
            mov %r0, -1
            jne %r2, 3, exit
            exit
            """,
            "aabbcc", 0xbbcc);
    check(vector);
  }

  private static void check(Path file) throws IOException {
    check(ConformanceVector.read(file));
  }

  private static void check(ConformanceVector vector) {
    List<Instruction> program = Assembler.assembleMnemonics("vector", vector.assembly());
    assertThat(Long.toHexString(run(program, vector.memory())))
        .isEqualTo(Long.toHexString(vector.result()));

    byte[] bytes = encode(program);
    List<Instruction> decoded =
        new InstructionDecoder(ByteOrder.LITTLE_ENDIAN, fd -> "map" + fd).decode(bytes);
    assertThat(encode(decoded)).isEqualTo(bytes);
    String text = Disassembler.listing(decoded);
    assertThat(Assembler.assemble("disassembly", text)).isEqualTo(decoded);
  }

  /** Runs a program on both engines. */
  private static long run(List<Instruction> program, String memory) {
    byte[] bytes = HexFormat.of().parseHex(memory);
    long result = BpfConformancePlugin.run(program, bytes.clone());
    VmOptions translated = VmOptions.DEFAULT.withEngine(Engine.TRANSLATOR);
    assertThat(new VirtualMachine(List.of(), 1, translated).run(program, bytes)).isEqualTo(result);
    return result;
  }

  private static byte[] encode(List<Instruction> program) {
    return new InstructionEncoder(ByteOrder.LITTLE_ENDIAN, map -> 0).encode(program).bytes();
  }
}
