package dev.ply.machine;

/**
 * A Linux version without the distribution's suffix.
 *
 * @param major the first number
 * @param minor the second number
 * @param patch the third number, 0 if the release has none
 */
public record KernelVersion(int major, int minor, int patch) implements Comparable<KernelVersion> {
  /**
   * Parses a release of uname(2), such as {@code 6.12.43-cloud-amd64}.
   *
   * @param release with any suffix
   * @return the version without suffix
   * @throws IllegalArgumentException if it does not start with a version
   */
  public static KernelVersion parse(String release) {
    String text = release.strip();
    int[] numbers = new int[3];
    int count = 0;
    int position = 0;
    while (count < numbers.length && position < text.length() && isDigit(text.charAt(position))) {
      int end = position;
      while (end < text.length() && isDigit(text.charAt(end))) {
        end++;
      }
      numbers[count++] = Integer.parseInt(text, position, end, 10);
      position = end < text.length() && text.charAt(end) == '.' ? end + 1 : text.length();
    }
    if (count < 2) {
      throw new IllegalArgumentException("\"" + text + "\" is not a kernel release");
    }
    return new KernelVersion(numbers[0], numbers[1], numbers[2]);
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  /**
   * {@return whether this is version {@code major.minor} or later}
   *
   * @param major the first number
   * @param minor the second number
   */
  public boolean isAtLeast(int major, int minor) {
    return compareTo(new KernelVersion(major, minor, 0)) >= 0;
  }

  @Override
  public int compareTo(KernelVersion other) {
    if (major != other.major) {
      return Integer.compare(major, other.major);
    }
    return minor != other.minor
        ? Integer.compare(minor, other.minor)
        : Integer.compare(patch, other.patch);
  }

  /** {@return the version, {@code major.minor.patch}} */
  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
