package dev.ply.cli.profile;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ply.cli.io.HttpLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A store on this machine, which answers what a test wants. */
public final class ReceivingStore implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<byte[]> bodies = new CopyOnWriteArrayList<>();
  private final List<Headers> headers = new CopyOnWriteArrayList<>();
  private final List<String> paths = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile String answer = "";

  /** Starts it at a free port. */
  public ReceivingStore() throws IOException {
    HttpLimits.set();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::receive);
    server.setExecutor(threads);
    server.start();
  }

  private void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (status == 0) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
      return;
    }
    paths.add(exchange.getRequestURI().getPath());
    headers.add(exchange.getRequestHeaders());
    if (status == 200) {
      bodies.add(body);
    }
    if (status / 100 == 3) {
      exchange.getResponseHeaders().add("Location", url() + "/elsewhere");
    }
    byte[] text = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, text.length == 0 ? -1 : text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  /** Answers with a status from now on; 0 is no answer at all. */
  void answer(int with, String text) {
    status = with;
    answer = text;
  }

  /** Returns where it is. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<byte[]> bodies() {
    return bodies;
  }

  List<String> paths() {
    return paths;
  }

  Headers lastHeaders() {
    return headers.get(headers.size() - 1);
  }

  /** Returns the profiles that were received. */
  public List<ReceivedProfile> profiles() throws IOException {
    List<ReceivedProfile> profiles = new ArrayList<>();
    for (byte[] body : bodies) {
      profiles.add(ReceivedProfile.of(body));
    }
    return profiles;
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
