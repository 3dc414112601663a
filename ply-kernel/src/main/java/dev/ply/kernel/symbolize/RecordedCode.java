package dev.ply.kernel.symbolize;

import dev.ply.kernel.mapping.FileIdentity;
import dev.ply.kernel.mapping.FileMapping;
import dev.ply.kernel.mapping.ProcessImage;
import dev.ply.kernel.mapping.RecordedMappings;
import dev.ply.kernel.procfs.Vdso;
import dev.ply.kernel.symbolize.CodeFiles.Code;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The symbols of files mapped by processes, including exited ones. A file is opened by its path as
 * soon as a process with recorded stacks maps it, and read only if it is the mapped one. For one
 * thread.
 */
final class RecordedCode {
  private static final Path OWN_ROOT = Path.of("/");

  /** The heap size of a file's entry without its name's characters. */
  private static final int NAME_BYTES = 200;

  private final RecordedMappings mappings;
  private final CodeFiles files;
  private final ReadBudget budget;
  private final Map<MappedFile, Optional<Code>> read = new HashMap<>();

  private record MappedFile(String name, FileIdentity identity) {}

  RecordedCode(RecordedMappings mappings, CodeFiles files, ReadBudget budget) {
    this.mappings = mappings;
    this.files = files;
    this.budget = budget;
  }

  /** Returns the budget of the trace. */
  ReadBudget budget() {
    return budget;
  }

  /** Processes the records so far; returns the processes that have loaded files. */
  Set<Integer> update() {
    Set<Integer> changed = new HashSet<>();
    for (RecordedMappings.Kept kept : mappings.update()) {
      if (kept.mapping().isFile()) {
        changed.add(kept.process());
      }
      Optional<Code> unused = code(kept.process(), kept.mapping());
    }
    return changed;
  }

  /**
   * Keeps the mappings of a process, and reads their files while they exist; returns the processes
   * that have loaded files meanwhile.
   */
  Set<Integer> keep(int process) {
    Set<Integer> changed = new HashSet<>();
    mappings.keep(process);
    for (ProcessImage image : mappings.images(process)) {
      for (FileMapping mapping : image.mappings()) {
        code(process, mapping);
        // Buffers can fill while a file is read.
        changed.addAll(update());
      }
    }
    return changed;
  }

  /** Returns the processes whose mappings are kept. */
  Set<Integer> kept() {
    return mappings.kept();
  }

  /** Drops the mappings of a process that has exited. */
  void forget(int process) {
    mappings.forget(process);
  }

  /** Returns the recorded images of a process, the latest first. */
  List<ProcessImage> images(int process) {
    return mappings.images(process);
  }

  /** Returns the number of records dropped by the kernel. */
  long lost() {
    return mappings.lost();
  }

  /** Returns the code of a mapped file; empty if the file no longer exists. */
  Optional<Code> code(int process, FileMapping mapping) {
    if (!mapping.isFile()) {
      return Vdso.is(mapping.seen()) ? vdso() : Optional.empty();
    }
    MappedFile file = new MappedFile(mapping.name(), mapping.identity());
    Optional<Code> code = read.get(file);
    if (code != null) {
      return code;
    }
    try (Allowance opening = budget.allowance(false)) {
      for (Path root : roots(process)) {
        opening.requireTime();
        Optional<Code> found = open(root, file);
        if (found.isPresent()) {
          opening.claim(NAME_BYTES + 2L * file.name().length());
          read.put(file, found);
          return found;
        }
      }
    } catch (BudgetExceededException e) {
      // Its frames print as addresses.
      return Optional.empty();
    }
    return Optional.empty();
  }

  private Optional<Code> vdso() {
    try (UntrustedFile file = Vdso.open(budget)) {
      return files.read(file, file.path(), OWN_ROOT);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A container's root outlives most of its processes: through a parent. */
  private List<Path> roots(int process) {
    List<Path> roots = new ArrayList<>(List.of(OWN_ROOT, root(process)));
    mappings.parent(process).ifPresent(parent -> roots.add(root(parent)));
    return roots;
  }

  private static Path root(int process) {
    return Path.of("/proc/" + process + "/root");
  }

  private Optional<Code> open(Path root, MappedFile mapped) {
    try {
      Path name = root.resolve(mapped.name().substring(1));
      try (UntrustedFile file = UntrustedFile.open(name, Links.FOLLOWED, budget)) {
        // A different inode is not read.
        return mapped.identity() instanceof FileIdentity.Inode inode && !isInode(file, inode)
            ? Optional.empty()
            : files.read(file, name, root).filter(code -> isMapped(code, mapped.identity()));
      }
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static boolean isInode(UntrustedFile file, FileIdentity.Inode inode) {
    return file.facts().device() == inode.device() && file.facts().inode() == inode.number();
  }

  private static boolean isMapped(Code code, FileIdentity identity) {
    return !(identity instanceof FileIdentity.BuildId id)
        || code.buildId().filter(id.hexadecimal()::equals).isPresent();
  }
}
