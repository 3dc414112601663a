package dev.ply.target;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a Linux kernel; what distributions add to it is left out. */
public record KernelVersion(int major, int minor, int patch) implements Comparable<KernelVersion> {
  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)(?:\\.(\\d+))?.*");
  private static final Comparator<KernelVersion> ORDER =
      Comparator.comparingInt(KernelVersion::major)
          .thenComparingInt(KernelVersion::minor)
          .thenComparingInt(KernelVersion::patch);

  /**
   * Reads the release that uname(2) gives, such as {@code 6.12.43-cloud-amd64}.
   *
   * @throws IllegalArgumentException if it does not start with a version
   */
  public static KernelVersion parse(String release) {
    Matcher matcher = RELEASE.matcher(release.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("\"" + release.strip() + "\" is not a kernel release");
    }
    String patch = matcher.group(3);
    return new KernelVersion(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        patch == null ? 0 : Integer.parseInt(patch));
  }

  /** Tells whether this is version {@code major.minor} or later. */
  public boolean isAtLeast(int major, int minor) {
    return compareTo(new KernelVersion(major, minor, 0)) >= 0;
  }

  @Override
  public int compareTo(KernelVersion other) {
    return ORDER.compare(this, other);
  }

  /** Returns the version with dots. */
  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
