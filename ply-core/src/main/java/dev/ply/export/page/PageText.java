package dev.ply.export.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * The parts of a page that are the same for all traces. Its policy (CSP level 3) allows this style
 * and this script by their hashes, and nothing else: no address is loaded, and no text of a trace
 * can be run.
 */
public final class PageText {
  private static final List<String> SCRIPTS =
      List.of(
          "number.js",
          "table.js",
          "histogram.js",
          "calls.js",
          "flame.js",
          "time.js",
          "lines.js",
          "heatmap.js",
          "maps.js",
          "trace.js",
          "page.js");

  private static final String CHARTS = "uPlot.iife.min.js";

  private static final String CHARTS_STYLE = "uPlot.min.css";

  /** What fetches the blocks of a trace that runs. */
  private static final String LIVE = "live.js";

  private PageText() {}

  /** Returns everything before the data. */
  public static String head() {
    return head(script(), "");
  }

  /** Returns a page without data, which may fetch it from where it comes from. */
  public static String live() {
    return head(script() + read(LIVE), "connect-src 'self'; ") + charts() + "</body>\n</html>\n";
  }

  private static String script() {
    StringBuilder script = new StringBuilder("'use strict';\n");
    SCRIPTS.forEach(name -> script.append(read(name)));
    return script.toString();
  }

  private static String head(String script, String allowed) {
    String style = read("page.css");
    return """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src '%s' '%s'; script-src '%s' '%s'; %sbase-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>ply</title>
    <style>%s</style>
    <script>%s</script>
    </head>
    <body>
    <noscript>This page draws its results with a script.</noscript>
    <main id="page"></main>
    """
        .formatted(
            hash(style),
            hash(read(CHARTS_STYLE)),
            hash(script),
            hash(read(CHARTS)),
            allowed,
            style,
            script);
  }

  /** Returns the library for lines over time, which follows the head if there are any. */
  public static String charts() {
    return "<style>" + read(CHARTS_STYLE) + "</style>\n<script>" + read(CHARTS) + "</script>\n";
  }

  private static String read(String name) {
    try (InputStream in = PageText.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
