package dev.ply.kernel.user;

import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.kernel.user.ProcessMaps.Mapping;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserSymbols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The functions of this system's processes. What a process has in memory is read when it is first
 * asked for, and again as long as the process is there and something is missing; files are read
 * once. Thread-safe.
 */
public final class ProcessSymbols implements UserSymbols {
  private final Map<Integer, Known> processes = new HashMap<>();
  private final Map<Path, Optional<Code>> files = new HashMap<>();

  /** A process as it was last seen. */
  private static final class Known {
    private ProcessMaps maps;
    private final JitSymbols made;

    Known(ProcessMaps maps) {
      this.maps = maps;
      this.made = new JitSymbols(maps);
    }
  }

  private record Code(ElfFile file, BinarySymbols symbols) {}

  @Override
  public Optional<String> hiddenUnless() {
    CapabilitySet held = CapabilitySet.ofThisProcess();
    return held.has(Capability.CAP_SYS_PTRACE)
        ? Optional.empty()
        : Optional.of(
            "it takes CAP_SYS_PTRACE: " + held.remedy(List.of(Capability.CAP_SYS_PTRACE)));
  }

  @Override
  public synchronized void remember(int process) {
    try {
      Optional<Known> known =
          ProcessMaps.of(process)
              .filter(maps -> !maps.mappings().isEmpty())
              .map(maps -> look(process, maps));
      // Files too, while they can be opened by way of the process.
      known.ifPresent(seen -> seen.maps.codeFiles().forEach(mapping -> code(seen.maps, mapping)));
    } catch (UnreadableTargetException e) {
      // Its frames will have no names, which is to be seen.
      return;
    }
  }

  /** A number may have been given to another process since it was last seen. */
  private Known look(int process, ProcessMaps maps) {
    Known known = processes.get(process);
    if (known == null || !known.made.isOf(maps)) {
      known = new Known(maps);
      processes.put(process, known);
    }
    known.maps = maps;
    return known;
  }

  @Override
  public synchronized List<Frame> frames(int process, List<Long> addresses) {
    Known known = processes.get(process);
    if (known == null || addresses.stream().anyMatch(address -> isMissing(process, address))) {
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

  private boolean isMissing(int process, long address) {
    Known known = processes.get(process);
    return known == null || known.maps.at(address).isEmpty();
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
              .at(instruction)
              .map(at -> new Symbol(at.name(), at.offset() + address - instruction));
      Optional<String> name =
          Optional.of(mapping.get().name()).filter(bracketed -> !bracketed.isEmpty());
      return new Frame(address, symbol, name);
    }
    return new Frame(
        address,
        symbol(known.maps, mapping.get(), instruction)
            .map(at -> new Symbol(at.name(), at.offset() + address - instruction)),
        Optional.of(fileName(mapping.get())));
  }

  private static String fileName(Mapping mapping) {
    return mapping.name().substring(mapping.name().lastIndexOf('/') + 1);
  }

  private Optional<Symbol> symbol(ProcessMaps maps, Mapping mapping, long address) {
    Optional<Code> code = code(maps, mapping);
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

  /** Processes of one file system share what is known of its files. */
  private Optional<Code> code(ProcessMaps maps, Mapping mapping) {
    Path key = maps.isInOwnRoot() ? Path.of(mapping.name()) : maps.file(mapping);
    Optional<Code> known = files.get(key);
    if (known == null) {
      known = read(maps.file(mapping), maps.root());
      files.put(key, known);
    }
    return known;
  }

  private static Optional<Code> read(Path path, Path root) {
    try (ElfFile file = ElfFile.open(path)) {
      return Optional.of(new Code(file, BinarySymbols.of(file, root)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
