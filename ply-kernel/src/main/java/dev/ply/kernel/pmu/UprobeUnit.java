package dev.ply.kernel.pmu;

import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.target.UserLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The uprobe PMU, as sysfs describes it. Requires Linux 4.17.
 *
 * @param type the PMU's type
 * @param returnBit the bit of {@code config} for return probes
 * @param semaphoreBit the lowest bit of {@code config} for the semaphore's offset
 */
public record UprobeUnit(int type, int returnBit, int semaphoreBit) {
  private static final Path SYSFS = Path.of("/sys/bus/event_source/devices/uprobe");
  private static final Pattern FORMAT = Pattern.compile("config:(\\d+)(?:-\\d+)?");

  /** Reads this kernel's PMU, if it exists. */
  public static Optional<UprobeUnit> ofThisKernel() {
    return read(SYSFS);
  }

  static Optional<UprobeUnit> read(Path directory) {
    try {
      int type = Integer.parseInt(Files.readString(directory.resolve("type")).strip());
      return Optional.of(
          new UprobeUnit(
              type,
              bit(directory.resolve("format/retprobe")),
              bit(directory.resolve("format/ref_ctr_offset"))));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static int bit(Path file) throws IOException {
    Matcher format = FORMAT.matcher(Files.readString(file).strip());
    if (!format.matches()) {
      throw new IOException(file + " is in no known format");
    }
    return Integer.parseInt(format.group(1));
  }

  /** Returns the attributes of a probe. */
  public PerfEventAttr attr(UserLocation location, boolean isReturn) {
    long config = (isReturn ? 1L << returnBit : 0) | location.semaphore() << semaphoreBit;
    return PerfEventAttr.uprobe(type, config, location.file().toString(), location.offset());
  }
}
