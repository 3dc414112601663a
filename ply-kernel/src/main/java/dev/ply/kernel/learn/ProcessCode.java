package dev.ply.kernel.learn;

import dev.ply.bpf.unwind.MappedCode;
import dev.ply.bpf.unwind.UnwindMaps;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.procfs.ProcessStack;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The executable memory of a process.
 *
 * @param stack where its stack begins; 0 if that is unknown
 * @param mappings by address
 */
record ProcessCode(ProcessMaps maps, long stack, List<Mapping> mappings) {
  /** Reads what a process has mapped; empty if it has ended, or may not be inspected. */
  static Optional<ProcessCode> of(int process, FileTables files) {
    try (Allowance reading = files.budget().allowance(false)) {
      // Before the mappings: a process that calls execve(2) in between is looked at once more.
      long stack = ProcessStack.start(process).orElse(0);
      Optional<ProcessMaps> maps = ProcessMaps.of(process, reading);
      reading.release();
      return maps.map(found -> new ProcessCode(found, stack, executable(found)))
          .filter(code -> !code.mappings().isEmpty());
    } catch (BudgetExceededException | UnreadableTargetException e) {
      return Optional.empty();
    }
  }

  private static List<Mapping> executable(ProcessMaps maps) {
    return maps.mappings().stream().filter(Mapping::isExecutable).toList();
  }

  /**
   * What tells whether the same is mapped in another look at the process: of a stranger's, which
   * can map much, nothing more is kept.
   */
  record Fingerprint(long stack, int mappings, int hash) {}

  /** Returns the fingerprint of this look. */
  Fingerprint fingerprint() {
    return new Fingerprint(stack, mappings.size(), mappings.hashCode());
  }

  /** Returns the mappings with the tables of their files, and the heaps of a Java runtime. */
  List<MappedCode> mapped(FileTables files) {
    List<MappedCode> heaps = HotSpotHeaps.of(maps, files.budget());
    Stream<MappedCode> others =
        mappings.stream()
            .filter(mapping -> heaps.stream().noneMatch(heap -> heap.has(mapping.start())))
            // Files of others, which programs could not find, are not read.
            .limit(UnwindMaps.MOST_MAPPINGS)
            .map(mapping -> mapped(mapping, files));
    return Stream.concat(heaps.stream(), others).toList();
  }

  private MappedCode mapped(Mapping mapping, FileTables files) {
    Optional<FileTables.Table> file =
        ProcessMaps.hasFile(mapping) ? file(mapping, files) : Optional.empty();
    OptionalLong bias =
        file.map(table -> table.bias(mapping.start(), mapping.offset()))
            .orElseGet(OptionalLong::empty);
    return new MappedCode(
        mapping.start(),
        mapping.end(),
        bias.orElse(0),
        bias.isPresent() ? file.flatMap(FileTables.Table::table) : Optional.empty());
  }

  private Optional<FileTables.Table> file(Mapping mapping, FileTables files) {
    try (UntrustedFile opened = maps.open(mapping, files.budget())) {
      return files.of(opened);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
