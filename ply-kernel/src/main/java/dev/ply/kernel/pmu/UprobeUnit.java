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
 * The performance monitoring unit that makes uprobes, as sysfs describes it. Needs kernel 4.17.
 *
 * @param type the unit's number
 * @param returnBit which bit of the configuration asks for a return probe
 * @param semaphoreBit from which bit of the configuration on it has a semaphore's offset
 */
public record UprobeUnit(int type, int returnBit, int semaphoreBit) {
  private static final Path SYSFS = Path.of("/sys/bus/event_source/devices/uprobe");
  private static final Pattern FORMAT = Pattern.compile("config:(\\d+)(?:-\\d+)?");

  /** Reads this kernel's unit, if it has one. */
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

  /** Describes a probe. */
  public PerfEventAttr attr(UserLocation location, boolean isReturn) {
    long config = (isReturn ? 1L << returnBit : 0) | location.semaphore() << semaphoreBit;
    return PerfEventAttr.uprobe(type, config, location.file().toString(), location.offset());
  }
}
