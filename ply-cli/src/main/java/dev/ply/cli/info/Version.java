package dev.ply.cli.info;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of the command and of its platform. */
public final class Version {
  private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final String RESOURCE = "version.properties";

  private Version() {}

  /** Returns one line: {@code ply 1.0 (Linux 6.12.43, Java 17.0.15)}. */
  public static String text() {
    return "ply %s (%s %s, Java %s)"
        .formatted(
            number(),
            System.getProperty("os.name", "unknown system"),
            System.getProperty("os.version", ""),
            System.getProperty("java.version", ""));
  }

  /** Returns the version of ply alone. */
  public static String number() {
    return property("version").orElse("of unknown version");
  }

  /** Returns the day of the version, such as 2026-01-31; empty if unknown. */
  public static String date() {
    Matcher day = DAY.matcher(property("date").orElse(""));
    return day.lookingAt() ? day.group() : "";
  }

  private static Optional<String> property(String name) {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.ofNullable(properties.getProperty(name));
  }
}
