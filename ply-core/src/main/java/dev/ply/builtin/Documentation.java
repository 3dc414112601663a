package dev.ply.builtin;

import dev.ply.target.KernelVersion;
import java.util.List;

/**
 * What the language reference says of a built-in.
 *
 * @param forms how it is written, the usual form first
 * @param yields type and unit of its value; a phrase
 * @param summary what it is; whole sentences
 * @param since the oldest kernel that has it
 * @param example a whole script that shows it
 */
public record Documentation(
    List<String> forms, String yields, String summary, KernelVersion since, String example) {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  public Documentation {
    forms = List.copyOf(forms);
  }

  /** Documentation of what all supported kernels have. */
  Documentation(String yields, String summary, String example, String... forms) {
    this(List.of(forms), yields, summary, OLDEST, example);
  }

  /** Returns this documentation for what kernels have since {@code major.minor}. */
  Documentation since(int major, int minor) {
    return new Documentation(forms, yields, summary, new KernelVersion(major, minor, 0), example);
  }
}
