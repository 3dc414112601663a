package dev.ply.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A headless Chromium that shows a page, driven by the WebDriver protocol (W3C). */
public final class Browser implements AutoCloseable {
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

  private static final List<String> SWITCHES =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--window-size=1300,1300");

  private final Process driver;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String session;
  private String shown = "";

  private Browser(Process driver, String address, String request)
      throws IOException, InterruptedException {
    this.driver = driver;
    Map<?, ?> begun = (Map<?, ?>) post(address + "/session", request);
    this.session = address + "/session/" + begun.get("sessionId");
  }

  /** Starts a browser; a test that needs one is skipped where there is none. */
  public static Browser open(Path profile) throws IOException, InterruptedException {
    assumeTrue(
        Files.isExecutable(DRIVER) && Files.isExecutable(CHROMIUM),
        "needs Chromium: apt-get install chromium chromium-driver");
    Process driver =
        new ProcessBuilder(DRIVER.toString(), "--port=0").redirectErrorStream(true).start();
    BufferedReader lines = driver.inputReader(StandardCharsets.UTF_8);
    Pattern started = Pattern.compile("started successfully on port (\\d+)");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher port = started.matcher(line);
      if (port.find()) {
        List<String> switches = new ArrayList<>(SWITCHES);
        switches.add("--user-data-dir=" + profile);
        String words = String.join(",", switches.stream().map(Browser::quoted).toList());
        return new Browser(
            driver,
            "http://127.0.0.1:" + port.group(1),
            """
            {"capabilities": {"alwaysMatch": {
              "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
              "goog:chromeOptions": {"binary": "%s", "args": [%s]}}}}
            """
                .formatted(CHROMIUM, words));
      }
    }
    driver.destroy();
    throw new IOException("chromedriver does not start");
  }

  private static String quoted(String text) {
    TextBuffer out = new TextBuffer();
    JsonString.append(out, text);
    return out.toString();
  }

  private Object post(String address, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return send(request);
  }

  private Object send(HttpRequest request) throws IOException, InterruptedException {
    String response = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    Object value = ((Map<?, ?>) StrictJson.read(response)).get("value");
    if (value == null || (value instanceof Map<?, ?> map && map.containsKey("error"))) {
      throw new IOException(response);
    }
    return value;
  }

  /** Shows the page of a file, which must be drawn when it is loaded. */
  public void show(Path page) throws IOException, InterruptedException {
    show(page.toUri().toString());
    assertThat(run("return document.getElementById('page').dataset.drawn")).isEqualTo("true");
  }

  /** Shows the page of an address. */
  public void show(String address) throws IOException, InterruptedException {
    shown = address;
    Object unused = post(session + "/url", "{\"url\": " + quoted(address) + "}");
  }

  /** Waits until an expression of the page is true. */
  public void await(String condition) throws IOException, InterruptedException {
    String script =
        "const done = arguments[0]; (function look() { if ("
            + condition
            + ") done(true); else requestAnimationFrame(look); })()";
    Object unused = runUntilDone(script);
  }

  /** Returns the value of a script, which can use what the page's script declares. */
  public Object run(String script) throws IOException, InterruptedException {
    return post(session + "/execute/sync", "{\"script\": " + quoted(script) + ", \"args\": []}");
  }

  /** Returns a value after the page has drawn what the script has changed. */
  public Object afterFrame(String script, String value) throws IOException, InterruptedException {
    return runUntilDone(
        "const done = arguments[0];"
            + script
            + ";requestAnimationFrame(() => requestAnimationFrame(() => done("
            + value
            + ")))");
  }

  private Object runUntilDone(String script) throws IOException, InterruptedException {
    return post(session + "/execute/async", "{\"script\": " + quoted(script) + ", \"args\": []}");
  }

  /** Returns the value of an expression of the page as text. */
  public String text(String expression) throws IOException, InterruptedException {
    return String.valueOf(run("return String(" + expression + ")"));
  }

  /** Returns a picture of the page, as PNG. */
  public byte[] picture() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(session + "/screenshot")).build();
    return Base64.getDecoder().decode(String.valueOf(send(request)));
  }

  /** Types keys into the element of a selector: text, or the name of a file. */
  public void type(String selector, String text) throws IOException, InterruptedException {
    Map<?, ?> element =
        (Map<?, ?>)
            post(
                session + "/element",
                "{\"using\": \"css selector\", \"value\": " + quoted(selector) + "}");
    Object id = element.values().iterator().next();
    post(session + "/element/" + id + "/value", "{\"text\": " + quoted(text) + "}");
  }

  /** Checks that the page reported nothing to the console. */
  public void requireNothingReported() throws IOException, InterruptedException {
    assertThat((List<?>) post(session + "/se/log", "{\"type\": \"browser\"}")).isEmpty();
  }

  /** Checks that nothing was reported to the console, and nothing but the page was requested. */
  public void requireSilence() throws IOException, InterruptedException {
    requireNothingReported();
    for (Object entry : (List<?>) post(session + "/se/log", "{\"type\": \"performance\"}")) {
      String event = String.valueOf(((Map<?, ?>) entry).get("message"));
      // Chromium's own first tab is none of the page.
      if (event.contains("\"Network.requestWillBeSent\"")
          && !event.contains("\"documentURL\":\"chrome:")) {
        assertThat(event).contains("\"url\":\"" + shown + "\"");
      }
    }
    assertThat(run("return performance.getEntriesByType('resource').length")).isEqualTo(0L);
  }

  @Override
  public void close() {
    try {
      client.send(
          HttpRequest.newBuilder(URI.create(session)).DELETE().build(),
          HttpResponse.BodyHandlers.discarding());
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
