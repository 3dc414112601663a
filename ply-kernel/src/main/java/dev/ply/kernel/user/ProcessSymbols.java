package dev.ply.kernel.user;

import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import dev.ply.kernel.user.ProcessMaps.Mapping;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserSymbols.Frame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The symbols of processes of this system. Mappings are read on first use, and again while the
 * process exists and symbols are missing; files are read once. For one thread.
 */
final class ProcessSymbols {
  /** The time limit for fake Java runtimes of one user. */
  private static final Duration RUNTIME_PATIENCE = Duration.ofSeconds(2);

  /** Mappings are read again after this multiple of the time it took. */
  private static final long LOOKS = 20;

  /** The maximum number of ELF files per process. */
  private static final int MOST_FILES = 1 << 12;

  /** The memory per file besides its symbols. */
  private static final int FILE_BYTES = 512;

  private final ReadBudget budget;
  private final JavaAttach runtimes = new JavaAttach(RUNTIME_PATIENCE);
  private final Map<Integer, Known> processes = new HashMap<>();
  private final Map<FileFacts, Optional<Code>> files = new HashMap<>();

  ProcessSymbols(ReadBudget budget) {
    this.budget = budget;
  }

  /** A process at its last inspection. */
  private static final class Known {
    private final JitSymbols made;
    private final boolean isOfRoot;
    private final Map<Mapping, Optional<Code>> code = new HashMap<>();
    private ProcessMaps maps;
    private Allowance memory;
    private long nextLook;

    Known(ProcessStatus status, ProcessMaps maps, Allowance memory) {
      this.made = new JitSymbols(status, maps);
      this.isOfRoot = status.user() == 0;
      this.maps = maps;
      this.memory = memory;
    }
  }

  private record Code(ElfFile file, BinarySymbols symbols) {}

  /** Reads the mappings and files of a process, while they can be opened through it. */
  void remember(int process) {
    ProcessStatus.of(process)
        .flatMap(this::look)
        .ifPresent(
            known ->
                known.maps.codeFiles().stream()
                    .limit(MOST_FILES)
                    .forEach(mapping -> code(known, mapping)));
  }

  private Optional<Known> look(ProcessStatus status) {
    long begin = System.nanoTime();
    try (Allowance allowance = budget.allowance(status.user() == 0)) {
      allowance.requireTime();
      Optional<ProcessMaps> maps =
          ProcessMaps.of(status.pid(), allowance).filter(found -> !found.mappings().isEmpty());
      if (maps.isEmpty()) {
        return Optional.empty();
      }
      Known known = look(status, maps.get(), allowance);
      known.nextLook = System.nanoTime() + LOOKS * (System.nanoTime() - begin);
      return Optional.of(known);
    } catch (BudgetExceededException | UnreadableTargetException e) {
      // Its frames then print as addresses.
      return Optional.empty();
    }
  }

  /** A PID can have been reused since the last inspection. */
  private Known look(ProcessStatus status, ProcessMaps maps, Allowance memory) {
    Known known = processes.get(status.pid());
    if (known != null) {
      known.memory.release();
    }
    if (known == null || !known.made.isOf(status, maps)) {
      known = new Known(status, maps, memory);
      processes.put(status.pid(), known);
    }
    known.maps = maps;
    known.memory = memory;
    known.code.keySet().retainAll(Set.copyOf(maps.codeFiles()));
    return known;
  }

  /** Symbolises a stack trace, innermost frame first. */
  List<Frame> frames(int process, List<Long> addresses) {
    Known known = processes.get(process);
    if (known == null || isWorthALook(known, addresses)) {
      remember(process);
      known = processes.get(process);
    }
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      // A call at the end of a function returns to the next function: look up the call instruction.
      long instruction = i == 0 ? addresses.get(i) : addresses.get(i) - 1;
      frames.add(
          known == null
              ? new Frame(addresses.get(i))
              : frame(known, addresses.get(i), instruction));
    }
    return frames;
  }

  private static boolean isWorthALook(Known known, List<Long> addresses) {
    return System.nanoTime() - known.nextLook >= 0
        && addresses.stream().anyMatch(address -> known.maps.at(address).isEmpty());
  }

  private Frame frame(Known known, long address, long instruction) {
    Optional<Mapping> mapping = known.maps.at(instruction);
    if (mapping.isEmpty()) {
      return new Frame(address);
    }
    if (!mapping.get().isFile()) {
      Optional<Symbol> symbol =
          known
              .made
              .at(instruction, budget, runtimes)
              .map(at -> new Symbol(at.name(), at.offset() + address - instruction));
      Optional<String> name =
          Optional.of(mapping.get().name()).filter(bracketed -> !bracketed.isEmpty());
      return new Frame(address, symbol, name);
    }
    return new Frame(
        address,
        symbol(known, mapping.get(), instruction)
            .map(at -> new Symbol(at.name(), at.offset() + address - instruction)),
        Optional.of(fileName(mapping.get())));
  }

  private static String fileName(Mapping mapping) {
    return mapping.name().substring(mapping.name().lastIndexOf('/') + 1);
  }

  private Optional<Symbol> symbol(Known known, Mapping mapping, long address) {
    Optional<Code> code = code(known, mapping);
    if (code.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong own = code.get().file().address(address - mapping.start() + mapping.offset());
    if (own.isEmpty()) {
      return Optional.empty();
    }
    Optional<ElfSymbol> symbol = code.get().symbols().at(own.getAsLong());
    return symbol.map(at -> new Symbol(at.name(), own.getAsLong() - at.address()));
  }

  private Optional<Code> code(Known known, Mapping mapping) {
    Optional<Code> code = known.code.get(mapping);
    if (code == null) {
      code = read(known, mapping);
      known.code.put(mapping, code);
    }
    return code;
  }

  /** Processes share the symbols of a file, by whatever name they map it. */
  private Optional<Code> read(Known known, Mapping mapping) {
    try (UntrustedFile file = open(known, mapping)) {
      Optional<Code> code = files.get(file.facts());
      if (code == null) {
        code = read(file, known.maps, mapping);
        file.allowance().claim(FILE_BYTES);
        files.put(file.facts(), code);
      }
      return code;
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<Code> read(UntrustedFile opened, ProcessMaps maps, Mapping mapping) {
    try {
      ElfFile file = ElfFile.of(opened);
      Path name = maps.named(mapping).orElseGet(() -> maps.mapped(mapping));
      return Optional.of(new Code(file, BinarySymbols.of(file, name, maps.root())));
    } catch (IOException e) {
      opened.allowance().release();
      return Optional.empty();
    }
  }

  /** Opened on the account of the process's user, read on that of the file's owner. */
  private UntrustedFile open(Known known, Mapping mapping) throws IOException {
    try (Allowance opening = budget.allowance(known.isOfRoot)) {
      opening.requireTime();
      return open(known.maps, mapping);
    }
  }

  private UntrustedFile open(ProcessMaps maps, Mapping mapping) throws IOException {
    try {
      return UntrustedFile.open(maps.mapped(mapping), Links.FOLLOWED, budget);
    } catch (IOException e) {
      Optional<Path> name = maps.named(mapping);
      if (name.isEmpty()) {
        throw e;
      }
      // Without CAP_SYS_ADMIN, only the path can be used.
      return UntrustedFile.open(name.get(), Links.FOLLOWED, budget);
    }
  }
}
