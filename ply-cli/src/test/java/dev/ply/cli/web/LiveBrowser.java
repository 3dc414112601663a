package dev.ply.cli.web;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A headless Chromium with a page of a running trace, driven by the WebDriver protocol (W3C). */
final class LiveBrowser implements AutoCloseable {
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");

  private final Process driver;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String session;

  private LiveBrowser(Process driver, String address, Path profile)
      throws IOException, InterruptedException {
    this.driver = driver;
    List<String> switches =
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--window-size=1200,1300",
            "--user-data-dir=" + profile);
    Object options = Map.of("binary", CHROMIUM.toString(), "args", switches);
    Object wanted =
        Map.of("goog:chromeOptions", options, "goog:loggingPrefs", Map.of("browser", "ALL"));
    JsonElement begun =
        post(address + "/session", Map.of("capabilities", Map.of("alwaysMatch", wanted)));
    this.session = address + "/session/" + begun.getAsJsonObject().get("sessionId").getAsString();
  }

  /** Starts a browser; a test that needs one is skipped where there is none. */
  static LiveBrowser open(Path profile) throws IOException, InterruptedException {
    assumeTrue(
        Files.isExecutable(DRIVER) && Files.isExecutable(CHROMIUM),
        "needs Chromium: apt-get install chromium chromium-driver");
    Process driver =
        new ProcessBuilder(DRIVER.toString(), "--port=0").redirectErrorStream(true).start();
    BufferedReader lines = driver.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher port = STARTED.matcher(line);
      if (port.find()) {
        return new LiveBrowser(driver, "http://127.0.0.1:" + port.group(1), profile);
      }
    }
    driver.destroy();
    throw new IOException("chromedriver does not start");
  }

  private JsonElement post(String address, Object body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(new Gson().toJson(body)))
            .build();
    return value(client.send(request, BodyHandlers.ofString()).body());
  }

  private static JsonElement value(String response) throws IOException {
    JsonElement value = JsonParser.parseString(response).getAsJsonObject().get("value");
    if (value.isJsonObject() && value.getAsJsonObject().has("error")) {
      throw new IOException(value.getAsJsonObject().get("message").getAsString());
    }
    return value;
  }

  /** Shows a page. */
  void show(String address) throws IOException, InterruptedException {
    JsonElement unused = post(session + "/url", Map.of("url", address));
  }

  /** Waits until an expression of the page is true. */
  void await(String condition) throws IOException, InterruptedException {
    String script =
        "const done = arguments[0]; (function look() { if ("
            + condition
            + ") done(true); else requestAnimationFrame(look); })()";
    JsonElement unused =
        post(session + "/execute/async", Map.of("script", script, "args", List.of()));
  }

  /** Returns the value of an expression of the page as a text. */
  String text(String expression) throws IOException, InterruptedException {
    String script = "return String(" + expression + ")";
    return post(session + "/execute/sync", Map.of("script", script, "args", List.of()))
        .getAsString();
  }

  /** Returns what the page has reported to its console. */
  String reported() throws IOException, InterruptedException {
    return post(session + "/se/log", Map.of("type", "browser")).toString();
  }

  /** Returns a picture of the page, as PNG in Base64. */
  String picture() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(session + "/screenshot")).build();
    return value(client.send(request, BodyHandlers.ofString()).body()).getAsString();
  }

  @Override
  public void close() {
    try {
      client.send(
          HttpRequest.newBuilder(URI.create(session)).DELETE().build(), BodyHandlers.discarding());
    } catch (IOException e) {
      // It has ended by itself.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      driver.destroy();
    }
  }
}
