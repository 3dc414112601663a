package dev.ply.cli.info;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the command and of its platform. */
public final class Version {
  private static final String RESOURCE = "version.properties";

  private Version() {}

  /** Returns one line: {@code ply 1.0 (Linux 6.12.43, Java 17.0.15)}. */
  public static String text() {
    return "ply %s (%s %s, Java %s)"
        .formatted(
            ofPly(),
            System.getProperty("os.name", "unknown system"),
            System.getProperty("os.version", ""),
            System.getProperty("java.version", ""));
  }

  private static String ofPly() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "of unknown version");
  }
}
