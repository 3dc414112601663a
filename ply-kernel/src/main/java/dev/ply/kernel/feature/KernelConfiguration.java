package dev.ply.kernel.feature;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * The build options of a kernel.
 *
 * @param set the names of those that are set
 */
public record KernelConfiguration(Set<String> set) {
  /** Where kernels and distributions keep them. */
  public static final List<Path> PLACES =
      List.of(
          Path.of("/proc/config.gz"), Path.of("/boot/config-" + System.getProperty("os.version")));

  /** An option and what depends on it. */
  private record Use(String option, String use) {}

  private static final List<Use> USES =
      List.of(
          new Use("CONFIG_BPF_SYSCALL", "any tracing"),
          new Use("CONFIG_PERF_EVENTS", "any tracing"),
          new Use("CONFIG_BPF_EVENTS", "any tracing"),
          new Use("CONFIG_FTRACE_SYSCALLS", "tracepoints of system calls"),
          new Use("CONFIG_KPROBE_EVENTS", "kprobe and kretprobe"),
          new Use("CONFIG_KALLSYMS", "names of functions"),
          new Use("CONFIG_DEBUG_INFO_BTF", "types of the kernel"));

  /** Keeps a copy. */
  public KernelConfiguration {
    set = Set.copyOf(set);
  }

  /**
   * Reads those of the running kernel; empty if they are in none of the usual places.
   *
   * @throws IOException if the file cannot be read
   */
  public static Optional<KernelConfiguration> ofThisKernel() throws IOException {
    return read(PLACES);
  }

  /** Reads the first existing file, compressed or not. */
  static Optional<KernelConfiguration> read(List<Path> files) throws IOException {
    for (Path file : files) {
      if (Files.isReadable(file)) {
        return Optional.of(of(Files.readAllBytes(file)));
      }
    }
    return Optional.empty();
  }

  private static KernelConfiguration of(byte[] content) throws IOException {
    boolean isPacked = content.length > 1 && content[0] == 0x1f && (content[1] & 0xff) == 0x8b;
    byte[] text =
        isPacked ? new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes() : content;
    Set<String> set = new HashSet<>();
    new String(text, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.endsWith("=y") || line.endsWith("=m"))
        .forEach(line -> set.add(line.substring(0, line.indexOf('='))));
    return new KernelConfiguration(set);
  }

  /**
   * Returns the missing options of those that tracing uses, and what they disable, a clause each.
   */
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (Use one : USES) {
      if (!set.contains(one.option())) {
        missing.add(one.option() + " is not set (needed for " + one.use() + ")");
      }
    }
    return missing;
  }
}
