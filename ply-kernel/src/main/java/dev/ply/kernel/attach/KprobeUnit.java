package dev.ply.kernel.attach;

import dev.ply.kernel.sys.PerfEventAttr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The performance monitoring unit that makes kprobes, as sysfs describes it. Needs kernel 4.17.
 *
 * @param type the unit's number
 * @param returnBit which bit of the configuration asks for a return probe
 */
record KprobeUnit(int type, int returnBit) {
  private static final Path SYSFS = Path.of("/sys/bus/event_source/devices/kprobe");
  private static final Pattern RETURN_FORMAT = Pattern.compile("config:(\\d+)");

  /** Reads this kernel's unit, if it has one. */
  static Optional<KprobeUnit> ofThisKernel() {
    return read(SYSFS);
  }

  static Optional<KprobeUnit> read(Path directory) {
    try {
      int type = Integer.parseInt(Files.readString(directory.resolve("type")).strip());
      Matcher format =
          RETURN_FORMAT.matcher(Files.readString(directory.resolve("format/retprobe")).strip());
      return format.matches()
          ? Optional.of(new KprobeUnit(type, Integer.parseInt(format.group(1))))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Describes a probe. */
  PerfEventAttr attr(KprobeLocation location) {
    long config = location.atReturn() ? 1L << returnBit : 0;
    return location.symbol().isEmpty()
        ? PerfEventAttr.kprobe(type, config, location.offset())
        : PerfEventAttr.kprobe(type, config, location.symbol(), location.offset());
  }
}
