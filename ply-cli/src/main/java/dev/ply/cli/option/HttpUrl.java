package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import java.net.URI;
import java.util.Optional;

/** Reads the URLs that results are sent to. */
public final class HttpUrl {
  private HttpUrl() {}

  /**
   * Reads the value of an option.
   *
   * @param option its name
   * @param example of a value
   * @param path added to a URL without one
   */
  public static URI parse(String option, String text, String example, String path)
      throws UsageException {
    Optional<URI> uri = uri(text);
    if (uri.isEmpty()) {
      throw new UsageException(
          "--" + option + " takes a URL such as " + example + ", not \"" + text + "\"");
    }
    String given = Optional.ofNullable(uri.get().getPath()).orElse("");
    return given.isEmpty() || given.equals("/") ? uri.get().resolve(path) : uri.get();
  }

  /**
   * Parses the URL of a service; a proxy may serve it below a path.
   *
   * @param option its name
   * @param example of a value
   * @param path of the service, which follows that of the URL unless it ends so
   */
  public static URI below(String option, String text, String example, String path)
      throws UsageException {
    URI parsed = parse(option, text, example, "/");
    String given = parsed.getPath().replaceAll("/+$", "");
    return given.endsWith(path) ? parsed : parsed.resolve(given + path);
  }

  private static Optional<URI> uri(String text) {
    try {
      URI uri = URI.create(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      return isHttp && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
