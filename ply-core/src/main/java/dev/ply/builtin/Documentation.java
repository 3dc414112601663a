package dev.ply.builtin;

import dev.ply.machine.KernelVersion;
import java.util.List;

/**
 * The entry of a built-in in the language reference.
 *
 * @param forms its syntax, the usual form first
 * @param yields type and unit of its value; a phrase
 * @param summary its description; complete sentences
 * @param since the minimum kernel
 * @param example a complete script
 */
public record Documentation(
    List<String> forms, String yields, String summary, KernelVersion since, String example) {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  public Documentation {
    forms = List.copyOf(forms);
  }

  /** Documentation of a built-in that all supported kernels have. */
  public Documentation(String yields, String summary, String example, String... forms) {
    this(List.of(forms), yields, summary, OLDEST, example);
  }

  /** Returns this documentation with a minimum kernel. */
  public Documentation since(int major, int minor) {
    return new Documentation(forms, yields, summary, new KernelVersion(major, minor, 0), example);
  }
}
