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
 * The functions of this system's processes. What a process has in memory is read when it is first
 * asked for, and again as long as the process is there and something is missing; files are read
 * once. For one thread.
 */
final class ProcessSymbols {
  /** How long a user's false Java runtimes keep a trace waiting. */
  private static final Duration RUNTIME_PATIENCE = Duration.ofSeconds(2);

  /** A process is looked at again after so many times what that took. */
  private static final long LOOKS = 20;

  /** Files of code, of one process. */
  private static final int MOST_FILES = 1 << 12;

  /** What is kept of a file besides its functions. */
  private static final int FILE_BYTES = 512;

  private final ReadBudget budget;
  private final JavaAttach runtimes = new JavaAttach(RUNTIME_PATIENCE);
  private final Map<Integer, Known> processes = new HashMap<>();
  private final Map<FileFacts, Optional<Code>> files = new HashMap<>();

  ProcessSymbols(ReadBudget budget) {
    this.budget = budget;
  }

  /** A process as it was last seen. */
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

  /** Notes what a process has in memory, files too, while they can be opened by way of it. */
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
      // Its frames will have no names, which is to be seen.
      return Optional.empty();
    }
  }

  /** A number may have been given to another process since it was last seen. */
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

  /** Names where a process is, the innermost first. */
  List<Frame> frames(int process, List<Long> addresses) {
    Known known = processes.get(process);
    if (known == null || isWorthALook(known, addresses)) {
      remember(process);
      known = processes.get(process);
    }
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      // A call that ends a function goes on behind it: what matters is where it was made.
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

  /** Processes share what is known of a file, by whatever name they have it. */
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

  /** Who runs a process has its files opened, who wrote a file has it read. */
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
      // Without CAP_SYS_ADMIN, a process has to trust the name.
      return UntrustedFile.open(name.get(), Links.FOLLOWED, budget);
    }
  }
}
