package dev.ply.kernel.feature;

import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.btf.BtfTypes.Loads;
import dev.ply.bpf.btf.MalformedBtfException;
import dev.ply.bpf.btf.ModuleTypes;
import dev.ply.machine.KernelVersion;
import dev.ply.target.KernelTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The BTF of the running kernel and its modules. */
public final class KernelBtf {
  private static final Path DIRECTORY = Path.of("/sys/kernel/btf");

  private KernelBtf() {}

  /** Reads the BTF; none if the kernel has none. */
  public static KernelTypes read(KernelVersion version) {
    Loads loads = version.isAtLeast(6, 6) ? Loads.LENIENT : Loads.STRICT;
    try {
      BtfTypes kernel = BtfTypes.open(DIRECTORY.resolve("vmlinux"), loads);
      return new ModuleTypes(kernel, KernelBtf::ofModule);
    } catch (IOException | MalformedBtfException e) {
      // No BTF, or kinds of types of a future kernel.
      return KernelTypes.NONE;
    }
  }

  private static Optional<byte[]> ofModule(String module) {
    try {
      return Optional.of(Files.readAllBytes(DIRECTORY.resolve(module)));
    } catch (IOException e) {
      // Before Linux 5.11, or the module is not loaded.
      return Optional.empty();
    }
  }
}
