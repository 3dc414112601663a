package dev.ply.lang.bcc;

import dev.ply.ir.TypeDefinition;
import java.util.List;

/**
 * What trace shows of each event.
 *
 * @param stringSize the maximum number of bytes of a string, 1 to {@value
 *     ArgdistSettings#LONGEST_STRING}
 * @param time what its first column is
 * @param hasCpu whether the CPU is shown
 * @param hasKernelStack whether the kernel stack follows
 * @param hasUserStack whether the user stack follows
 * @param hasAddresses whether stacks have addresses
 * @param definitions types that the specifiers use beside those of the kernel
 */
public record TraceSettings(
    int stringSize,
    Time time,
    boolean hasCpu,
    boolean hasKernelStack,
    boolean hasUserStack,
    boolean hasAddresses,
    List<TypeDefinition> definitions) {
  /** The usual settings: no time, no stacks, strings of 80 bytes. */
  public static final TraceSettings DEFAULT =
      new TraceSettings(80, Time.NONE, false, false, false, false, List.of());

  public TraceSettings {
    definitions = List.copyOf(definitions);
  }

  /** A column of times. */
  public enum Time {
    /** None. */
    NONE("", ""),
    /** The time of day. */
    OF_DAY("%-8s ", "TIME     "),
    /** Seconds since the trace began. */
    SINCE_START("%5d.%06d ", "TIME         "),
    /** Seconds since 1970. */
    UNIX("%-17s ", "TIME              ");

    /** Its conversions. */
    final String format;

    final String heading;

    Time(String format, String heading) {
      this.format = format;
      this.heading = heading;
    }
  }

  /** Returns the format of what comes before each message. */
  String head() {
    return time.format + (hasCpu ? "%-3d " : "") + "%-7d %-7d %-15s %-16s ";
  }

  /**
   * Returns the line of headings.
   *
   * @param hasMessages whether one of the probes has a message
   */
  public String heading(boolean hasMessages) {
    return time.heading
        + (hasCpu ? "CPU " : "")
        + "PID     TID     COMM            FUNC             "
        + (hasMessages ? "-" : "");
  }

  /** Returns these settings with definitions of types. */
  public TraceSettings with(List<TypeDefinition> types) {
    return new TraceSettings(
        stringSize, time, hasCpu, hasKernelStack, hasUserStack, hasAddresses, types);
  }
}
