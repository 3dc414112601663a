package dev.ply.examples;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.encoding.InstructionDecoder;
import dev.ply.bpf.encoding.InvalidEncodingException;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.memory.VmFault;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Source;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * A plug-in of the bpf_conformance suite that runs one program on ply's virtual machine: program
 * from standard input, memory for r1 as an argument, r0 to standard output in hexadecimal.
 */
public final class BpfConformancePlugin {
  private static final String USAGE =
      "usage: bpf-conformance-plugin [--asm] [MEMORY-HEX] < PROGRAM";

  private BpfConformancePlugin() {}

  /** Runs the plug-in; arguments: {@code [--asm] [MEMORY-HEX]}. */
  public static void main(String... arguments) throws IOException {
    boolean assembly = false;
    StringBuilder memory = new StringBuilder();
    for (String argument : arguments) {
      if (argument.equals("--asm")) {
        assembly = true;
      } else if (argument.startsWith("-")) {
        fail("unknown option " + argument + "; " + USAGE);
      } else {
        memory.append(argument);
      }
    }
    String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    Source source = new Source("<program>", text);
    try {
      long result = run(assembly ? assemble(source) : decode(text), bytes(memory.toString()));
      System.out.println(Long.toHexString(result));
    } catch (CompilationException e) {
      fail(DiagnosticRenderer.render(e.diagnostics(), source));
    } catch (InvalidEncodingException | VmFault | IllegalArgumentException e) {
      fail(String.valueOf(e.getMessage()));
    }
  }

  /** Runs a program with the address of {@code memory} in r1 and its length in r2; returns r0. */
  static long run(List<Instruction> program, byte[] memory) {
    return new VirtualMachine(List.of(), 1).run(program, memory);
  }

  private static List<Instruction> assemble(Source source) {
    return Assembler.assembleMnemonics(source.name(), source.text());
  }

  private static List<Instruction> decode(String hex) {
    InstructionDecoder decoder =
        new InstructionDecoder(ByteOrder.LITTLE_ENDIAN, descriptor -> "map" + descriptor);
    return decoder.decode(bytes(hex));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
  }

  private static void fail(String message) {
    System.err.println("bpf-conformance-plugin: " + message);
    System.exit(1);
  }
}
