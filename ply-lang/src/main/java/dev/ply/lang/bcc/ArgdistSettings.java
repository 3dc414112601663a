package dev.ply.lang.bcc;

import dev.ply.ir.TypeDefinition;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How argdist collects and shows values.
 *
 * @param stringSize the maximum number of bytes of a string, 1 to {@value #LONGEST_STRING}
 * @param seconds the interval between outputs
 * @param outputs the number of outputs, after which the trace ends
 * @param isCumulative whether values are kept after an output
 * @param top the number of counts to show, the largest
 * @param thread the TID of the only thread to trace
 * @param definitions types that the specifiers use beside those of the kernel
 */
public record ArgdistSettings(
    int stringSize,
    int seconds,
    OptionalInt outputs,
    boolean isCumulative,
    OptionalInt top,
    OptionalLong thread,
    List<TypeDefinition> definitions) {
  /** The maximum number of bytes of a string. */
  public static final int LONGEST_STRING = 511;

  /** The usual settings: an output every second, strings of 80 bytes. */
  public static final ArgdistSettings DEFAULT =
      new ArgdistSettings(
          80, 1, OptionalInt.empty(), false, OptionalInt.empty(), OptionalLong.empty(), List.of());

  public ArgdistSettings {
    definitions = List.copyOf(definitions);
  }

  /** Returns these settings with definitions of types. */
  public ArgdistSettings with(List<TypeDefinition> types) {
    return new ArgdistSettings(stringSize, seconds, outputs, isCumulative, top, thread, types);
  }
}
