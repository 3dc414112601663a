package dev.ply.kernel.pmu;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The sysctl kernel.perf_event_max_sample_rate. */
public final class MaxSampleRate {
  private static final int LONGEST_NUMBER = 64;
  private static final Path FILE = Path.of("/proc/sys/kernel/perf_event_max_sample_rate");

  private MaxSampleRate() {}

  /** Returns the maximum number of samples per second, if readable. */
  public static OptionalLong ofThisKernel() {
    // Files under /proc/sys return the value for the first read only, and Files.readString starts
    // with a read of one byte.
    try (InputStream in = Files.newInputStream(FILE)) {
      String number = new String(in.readNBytes(LONGEST_NUMBER), StandardCharsets.US_ASCII);
      return OptionalLong.of(Long.parseLong(number.strip()));
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
