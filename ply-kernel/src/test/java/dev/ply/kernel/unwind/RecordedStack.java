package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.MappedCode;
import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.bpf.unwind.UserMemory;
import dev.ply.bpf.unwind.UserRegisters;
import dev.ply.kernel.CompiledC;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the program {@code recorder.c} of the resources says of itself.
 *
 * @param frames the return addresses that it knows, innermost first
 * @param stack the words of its stack by address
 */
public record RecordedStack(
    UserRegisters registers, List<Long> frames, List<MappedCode> mappings, Map<Long, Long> stack)
    implements UserMemory {

  /** Compiles the recorder; empty if there is no such compiler, or it cannot link so. */
  public static Optional<Path> compile(Path directory, String compiler, List<String> options)
      throws IOException, InterruptedException {
    return CompiledC.compile(directory, "recorder.c", compiler, options);
  }

  /** Runs a recorder. */
  public static RecordedStack of(Path program, String how) throws IOException {
    Process process = new ProcessBuilder(program.toString(), how).start();
    process.getOutputStream().close();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      return of(lines);
    }
  }

  /** Reads what a recorder prints. */
  public static RecordedStack of(BufferedReader lines) throws IOException {
    UserRegisters registers = new UserRegisters(0, 0, 0, 0);
    List<Long> frames = new ArrayList<>();
    List<String> mappings = new ArrayList<>();
    Map<Long, Long> stack = new HashMap<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      List<String> words = List.of(line.strip().split("\\s+"));
      switch (words.get(0)) {
        case "registers" ->
            registers = new UserRegisters(hex(words, 1), hex(words, 2), hex(words, 3), 0);
        case "frame" -> frames.add(hex(words, 1));
        case "word" -> stack.put(hex(words, 1), hex(words, 2));
        case "map" -> mappings.add(line.substring(line.indexOf(' ') + 1));
        default -> {}
      }
    }
    return new RecordedStack(registers, frames, mappings(mappings), stack);
  }

  /**
   * Returns the executable mappings and their tables.
   *
   * @param lines of {@code /proc/PID/maps}
   */
  public static List<MappedCode> mappings(List<String> lines) throws IOException {
    Map<String, Optional<UnwindTable>> tables = new HashMap<>();
    List<MappedCode> mappings = new ArrayList<>();
    for (String line : lines) {
      List<String> words = List.of(line.strip().split("\\s+"));
      if (words.get(1).charAt(2) == 'x') {
        mappings.add(mapping(words, tables));
      }
    }
    return mappings;
  }

  private static long hex(List<String> words, int number) {
    return Long.parseUnsignedLong(words.get(number), 16);
  }

  private static MappedCode mapping(List<String> words, Map<String, Optional<UnwindTable>> tables)
      throws IOException {
    List<String> range = List.of(words.get(0).split("-"));
    long start = hex(range, 0);
    String name = words.size() > 5 ? words.get(5) : "";
    OptionalLong bias = OptionalLong.empty();
    Optional<UnwindTable> table = Optional.empty();
    if (name.startsWith("/")) {
      ReadBudget budget = ReadBudget.of(Duration.ofSeconds(60), 1L << 28);
      try (ElfFile file = ElfFile.open(Path.of(name), budget)) {
        bias = file.bias(start, hex(words, 2));
        table =
            tables.computeIfAbsent(
                name,
                unread -> {
                  try {
                    return UnwindSections.read(file).map(UnwindSections.Read::table);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
      }
    }
    return new MappedCode(start, hex(range, 1), bias.orElse(0), table);
  }

  @Override
  public OptionalLong word(long address) {
    Long aligned = stack.get(address);
    return aligned == null ? OptionalLong.empty() : OptionalLong.of(aligned);
  }
}
