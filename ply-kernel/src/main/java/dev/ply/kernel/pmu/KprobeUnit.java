package dev.ply.kernel.pmu;

import dev.ply.bpf.object.KernelLocation;
import dev.ply.kernel.sys.PerfEventAttr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The kprobe PMU, as sysfs describes it. Requires Linux 4.17.
 *
 * @param type the PMU's type
 * @param returnBit the bit of {@code config} for return probes
 */
public record KprobeUnit(int type, int returnBit) {
  private static final Path SYSFS = Path.of("/sys/bus/event_source/devices/kprobe");
  private static final String BIT_OF_CONFIGURATION = "config:";

  /** Reads this kernel's PMU, if it exists. */
  public static Optional<KprobeUnit> ofThisKernel() {
    return read(SYSFS);
  }

  static Optional<KprobeUnit> read(Path directory) {
    try {
      int type = Integer.parseInt(Files.readString(directory.resolve("type")).strip());
      String format = Files.readString(directory.resolve("format/retprobe")).strip();
      if (!format.startsWith(BIT_OF_CONFIGURATION)) {
        return Optional.empty();
      }
      int bit = Integer.parseInt(format.substring(BIT_OF_CONFIGURATION.length()));
      return Optional.of(new KprobeUnit(type, bit));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Returns the attributes of a probe. */
  public PerfEventAttr attr(KernelLocation location, boolean isReturn) {
    long config = isReturn ? 1L << returnBit : 0;
    if (location instanceof KernelLocation.Symbol symbol) {
      return PerfEventAttr.kprobe(type, config, symbol.symbol(), symbol.offset());
    }
    return PerfEventAttr.kprobe(type, config, ((KernelLocation.Address) location).value());
  }
}
