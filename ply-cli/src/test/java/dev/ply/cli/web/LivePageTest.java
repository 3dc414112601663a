package dev.ply.cli.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.CopiedRenderer;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Outputs;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.lang.PlyScript;
import dev.ply.layout.OutputFormat;
import dev.ply.reader.Browser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a simulated trace, by its address. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LivePageTest {
  private static final SimulatedTarget TARGET = SimulatedTarget.create().withFunctions("vfs_read");
  private static final String SCRIPT =
      "kprobe:vfs_read { @[comm] = count(); printf(\"%s\\n\", comm); }";

  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new Output(OutputStream.nullOutputStream()),
          new ErrorStream(new PrintStream(errors, true, StandardCharsets.UTF_8)),
          Set.of(Console.Remark.WARNING),
          Terminal.NONE);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private SimulatedTracer tracer;
  private LivePage page;
  private Session session;

  @BeforeEach
  void open() throws Exception {
    tracer = SimulatedTracer.create(TARGET);
    page = new LivePage(console, new ListenAddress("--web", Optional.empty(), 0), TARGET, () -> 0);
    PreparedTrace trace = page.join(tracer.prepare(PlyScript.parse(SCRIPT)));
    session = trace.start();
    page.follow(session, results(), () -> {});
  }

  @AfterEach
  void close() {
    page.close();
    session.close();
    tracer.close();
  }

  private void stop() throws Exception {
    session.stop();
    page.stopped(session, results());
  }

  private ResultOutput results() throws UsageException {
    return new ResultOutput(
        console.output(), CopiedRenderer.open(Outputs.STANDARD, OutputFormat::layout, TARGET));
  }

  private URI address() {
    return URI.create(page.url().orElseThrow());
  }

  private void fire(String comm) {
    tracer.fire(Firing.kprobe("vfs_read").comm(comm));
  }

  /** The data of a viewer's messages, as they come; ends with the connection. */
  private Stream<String> events() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address() + "/events")).build();
    HttpResponse<Stream<String>> response = client.send(request, BodyHandlers.ofLines());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .contains("text/event-stream; charset=utf-8");
    return response.body().filter(line -> line.startsWith("data: ")).map(line -> line.substring(6));
  }

  /** Reads up to the first message with a text; the client does not heed an interrupt. */
  private static List<String> until(Iterator<String> messages, String text) {
    List<String> read = new ArrayList<>();
    while (messages.hasNext()) {
      read.add(messages.next());
      if (read.get(read.size() - 1).contains(text)) {
        return read;
      }
    }
    throw new AssertionError("no \"" + text + "\" in " + read);
  }

  /** What a server answers to a request as it is, of HTTP/1.1, up to the end of the connection. */
  private String answer(String request) throws IOException {
    try (Socket socket = new Socket(address().getHost(), address().getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private String answer(String method, String path, String host) throws IOException {
    return answer(
        method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  }

  @Test
  void theAddressIsPrintedAndLeadsToThePage() throws Exception {
    assertThat(errors.toString(StandardCharsets.UTF_8)).isEqualTo("live page: " + address() + "\n");
    assertThat(address().toString()).matches("http://127\\.0\\.0\\.1:[0-9]+/[0-9a-f]{32}");
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(address()).build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .startsWith("<!DOCTYPE html>")
        .contains("default-src 'none'; ", "connect-src 'self'; ");
    // Where the library for lines comes from is a comment.
    assertThat(response.body().replaceAll("/\\*! https:.*\\*/", ""))
        .doesNotContain("http:", "https:");
    assertThat(response.headers().map())
        .containsEntry("Cache-Control", List.of("no-store"))
        .containsEntry("Referrer-Policy", List.of("no-referrer"))
        .containsEntry("X-Content-Type-Options", List.of("nosniff"))
        .doesNotContainKey("Access-Control-Allow-Origin");
  }

  @Test
  void aViewerGetsWhatHappensAndTheEnd() throws Exception {
    Iterator<String> messages = events().iterator();
    assertThat(messages.next()).startsWith("{\"type\":\"start\"");
    until(messages, "\"type\":\"attached\"");
    fire("cat");
    // Maps may be read before the event is passed on.
    List<String> both = until(messages, "\"known\":[[\"cat\"]]");
    if (both.stream().noneMatch(message -> message.contains("\"text\":\"cat\""))) {
      until(messages, "\"text\":\"cat\"");
    }
    CompletableFuture<Void> end = CompletableFuture.runAsync(this::stopUnchecked);
    List<String> last = until(messages, "\"type\":\"end\"");
    assertThat(last).anyMatch(message -> message.contains("\"occasion\":\"final\""));
    assertThat(messages.hasNext()).isFalse();
    end.join();
  }

  private void stopUnchecked() {
    try {
      stop();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aViewerThatComesLateGetsWhatItMissed() throws Exception {
    Iterator<String> first = events().iterator();
    fire("early");
    until(first, "\"text\":\"early\"");
    Iterator<String> late = events().iterator();
    assertThat(until(late, "\"known\":[[\"early\"]]"))
        .first()
        .asString()
        .startsWith("{\"type\":\"start\"");
    fire("now");
    until(first, "\"text\":\"now\"");
    until(late, "\"text\":\"now\"");
  }

  /** As a page that is written at the end has, but since it was opened. */
  @Test
  @Tag("any-java")
  void anOpenPageHasLinesOverTime(@TempDir Path directory) throws Exception {
    try (Browser browser = Browser.open(directory)) {
      fire("cat");
      fire("sh");
      browser.show(address().toString());
      String counts = "trace.maps.get('@')?.final?.rows.map(row => row.n).sort().join()";
      browser.await(counts + " === '1,1'");
      fire("cat");
      browser.await(counts + " === '1,2'");
      fire("cat");
      fire("cat");
      browser.await(counts + " === '1,4'");
      browser.await("document.querySelector('.lines')?.dataset.lines === '1'");
      assertThat(browser.text("trace.maps.get('@').periods.map(one => one.rows.map(size).join())"))
          .isEqualTo("1,2");
      browser.requireNothingReported();
    }
  }

  @Test
  void manyViewersGetTheSame() throws Exception {
    List<Iterator<String>> viewers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      viewers.add(events().iterator());
      viewers.get(i).next();
    }
    for (int i = 0; i < 100; i++) {
      fire("n" + i);
    }
    CompletableFuture<Void> end = CompletableFuture.runAsync(this::stopUnchecked);
    for (Iterator<String> viewer : viewers) {
      List<String> all = until(viewer, "\"type\":\"end\"");
      assertThat(all.stream().filter(message -> message.contains("\"type\":\"event\"")))
          .hasSize(100);
      assertThat(all.get(all.size() - 1)).contains("\"events\":100");
    }
    end.join();
  }

  /** Neither the trace nor another viewer waits for it. */
  @Test
  void aViewerThatStallsDelaysNobody() throws Exception {
    try (Socket stalled = new Socket()) {
      stalled.setReceiveBufferSize(1024);
      stalled.connect(new InetSocketAddress(address().getHost(), address().getPort()));
      String request = "GET " + address().getPath() + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
      stalled.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      Iterator<String> other = events().iterator();
      for (int i = 0; i < 4000; i++) {
        fire("0123456789abcd");
      }
      fire("last");
      until(other, "\"text\":\"last\"");
      CompletableFuture<Void> end = CompletableFuture.runAsync(this::stopUnchecked);
      until(other, "\"type\":\"end\"");
      end.join();
    }
  }

  @Test
  void eventsBeyondTheRateAreCounted() throws Exception {
    Iterator<String> messages = events().iterator();
    for (int i = 0; i < 5_003; i++) {
      fire("x");
    }
    until(messages, "3 events were too many for a page, which has up to 2000 a second");
    CompletableFuture<Void> end = CompletableFuture.runAsync(this::stopUnchecked);
    List<String> last = until(messages, "\"type\":\"end\"");
    assertThat(last.get(last.size() - 1)).contains("\"events\":5003");
    end.join();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/favicon.ico", "/00000000000000000000000000000000", "/../"})
  void aPathWithoutTheTokenLeadsNowhere(String path) throws Exception {
    for (String method : List.of("GET", "HEAD", "POST", "OPTIONS")) {
      assertThat(answer(method, path, "localhost"))
          .startsWith("HTTP/1.1 404 ")
          .doesNotContain("ply", "token")
          .endsWith("\r\n\r\n");
    }
    assertThat(answer("GET", path + "/events", "localhost")).startsWith("HTTP/1.1 404 ");
  }

  @Test
  void aTokenThatIsAlmostRightLeadsNowhere() throws Exception {
    String path = address().getPath();
    char last = path.charAt(path.length() - 1);
    String wrong = path.substring(0, path.length() - 1) + (last == '0' ? '1' : '0');
    for (String other :
        List.of(wrong, path + "0", path.substring(0, 32), path.toUpperCase(Locale.ROOT))) {
      assertThat(answer("GET", other, "localhost")).startsWith("HTTP/1.1 404 ");
    }
    assertThat(answer("GET", path + "/", "localhost")).startsWith("HTTP/1.1 200 ");
    assertThat(answer("GET", path + "/other", "localhost")).startsWith("HTTP/1.1 404 ");
  }

  /** A name that its owner points at this machine is not one of it. */
  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "evil.example:8080", "localhost.evil.example", "", "1.2"})
  void otherNamesAreRefused(String host) throws Exception {
    for (String path : List.of("", "/events")) {
      assertThat(answer("GET", address().getPath() + path, host))
          .startsWith("HTTP/1.1 403 ")
          .endsWith("\r\n\r\n");
    }
  }

  /** A port is that of a tunnel, for example. */
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:80", "10.0.0.7"})
  void namesOfThisMachineAreAnswered(String host) throws Exception {
    assertThat(answer("GET", address().getPath(), host)).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "POST", "PUT", "DELETE", "OPTIONS", "get", "TRACE"})
  void onlyGetIsAnswered(String method) throws Exception {
    assertThat(answer(method, address().getPath(), "localhost"))
        .startsWith("HTTP/1.1 405 ")
        .contains("Allow: GET\r\n")
        .endsWith("\r\n\r\n");
  }

  @Test
  void aRequestThatIsTooLongIsNotRead() throws Exception {
    String host = "GET " + address().getPath() + " HTTP/1.1\r\nHost: localhost\r\n";
    StringBuilder headers = new StringBuilder("Connection: close\r\n");
    IntStream.range(0, 1000).forEach(i -> headers.append("A" + i + ": b\r\n"));
    assertThat(isRefused(host + headers + "\r\n")).isTrue();
    String body = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n";
    for (int i = 0; i < 20; i++) {
      assertThat(isRefused(body)).isTrue();
    }
    assertThat(answer("GET", address().getPath(), "localhost")).startsWith("HTTP/1.1 200 ");
  }

  /** Those who send a request bit by bit, or none, do not keep others from the page. */
  @Test
  void clientsThatSendNothingDelayNobody() throws Exception {
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      idle.add(new Socket(address().getHost(), address().getPort()));
      idle.get(i).getOutputStream().write("G".repeat(i % 2).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(answer("GET", address().getPath(), "localhost")).startsWith("HTTP/1.1 200 ");
    for (Socket socket : idle) {
      socket.close();
    }
  }

  /** Returns whether a request ends with an error, or with its connection. */
  private boolean isRefused(String request) {
    try {
      return !answer(request).startsWith("HTTP/1.1 200 ");
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void viewersBeyondTheMostAreRefused() throws Exception {
    List<InputStream> viewers = new ArrayList<>();
    HttpRequest request = HttpRequest.newBuilder(URI.create(address() + "/events")).build();
    for (int i = 0; i < 64; i++) {
      viewers.add(client.send(request, BodyHandlers.ofInputStream()).body());
      assertThat(viewers.get(i).read()).isEqualTo('d');
    }
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(503);
    for (InputStream viewer : viewers) {
      viewer.close();
    }
  }

  @Test
  void aPortInUseIsAnError() {
    ListenAddress taken = new ListenAddress("--web", Optional.empty(), address().getPort());
    LivePage second = new LivePage(console, taken, TARGET, System::nanoTime);
    try (PreparedTrace trace = tracer.prepare(PlyScript.parse(SCRIPT))) {
      assertThatThrownBy(() -> second.join(trace))
          .isInstanceOf(UsageException.class)
          .hasMessage(
              "--web: port "
                  + address().getPort()
                  + " of 127.0.0.1 is in use; --web 0 takes any that is free");
    }
  }

  @Test
  void aPageThatIsClosedAnswersNothing() throws Exception {
    Stream<String> messages = events();
    URI closed = address();
    page.close();
    assertThatThrownBy(() -> new Socket(closed.getHost(), closed.getPort()).close())
        .isInstanceOf(IOException.class);
    messages.close();
  }
}
