package dev.ply.cli.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ply.cli.io.HttpLimits;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.export.PageRenderer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Serves a page and its blocks, to those who know its address alone. */
final class PageServer implements AutoCloseable {
  /** Of requests under way: one that is sent bit by bit has a thread until its time is over. */
  private static final int MOST_THREADS = 256;

  private static final long IDLE_SECONDS = 10;
  private static final int CONNECTIONS_WAITING = 32;

  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int WRONG_METHOD = 405;
  private static final int UNAVAILABLE = 503;
  private static final int WITHOUT_BODY = -1;

  private final HttpServer server;
  private final RequestCheck check;
  private final Viewers viewers;
  private final byte[] page;
  private final ThreadFactory threads;
  private final ThreadPoolExecutor requests;

  private PageServer(HttpServer server, RequestCheck check, Viewers viewers) {
    this.server = server;
    this.check = check;
    this.viewers = viewers;
    this.page = PageRenderer.livePage().getBytes(StandardCharsets.UTF_8);
    this.threads =
        task -> {
          Thread thread = new Thread(task, "ply-web-viewer");
          thread.setDaemon(true);
          return thread;
        };
    this.requests =
        new ThreadPoolExecutor(
            0,
            MOST_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads,
            // Others are not answered, and closed when their time is over.
            new ThreadPoolExecutor.DiscardPolicy());
  }

  /**
   * Opens a server, which answers at once.
   *
   * @throws UsageException if it cannot listen at the address
   */
  static PageServer open(ListenAddress address, Viewers viewers) throws UsageException {
    HttpLimits.set();
    InetSocketAddress socket = address.socket();
    Set<String> names = new HashSet<>();
    address.host().map(name -> name.toLowerCase(Locale.ROOT)).ifPresent(names::add);
    if (!socket.getAddress().isLoopbackAddress()) {
      machineName().ifPresent(names::add);
    }
    try {
      HttpServer server = HttpServer.create(socket, CONNECTIONS_WAITING);
      PageServer opened = new PageServer(server, new RequestCheck(names), viewers);
      server.createContext("/", opened::answer);
      server.setExecutor(opened.requests);
      server.start();
      return opened;
    } catch (BindException e) {
      throw new UsageException("--web: " + reason(e, socket));
    } catch (IOException e) {
      throw new UsageException("--web: no page can be served: " + e.getMessage());
    }
  }

  private static String reason(BindException e, InetSocketAddress socket) {
    String at = socket.getAddress().getHostAddress();
    String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (why.contains("in use")) {
      return "port "
          + socket.getPort()
          + " of "
          + at
          + " is in use; --web 0 takes any that is free";
    } else if (why.contains("permission")) {
      return "port " + socket.getPort() + " needs privileges; those from 1024 on do not";
    }
    return at + " is no address of this machine";
  }

  private static Optional<String> machineName() {
    try {
      String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      return Optional.of(name.toLowerCase(Locale.ROOT)).filter(one -> !one.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the address of the page, which has the token. */
  String url(ListenAddress asked) {
    InetAddress address = server.getAddress().getAddress();
    String host =
        asked
            .host()
            .filter(name -> !name.contains(":") && !address.isAnyLocalAddress())
            .or(() -> address.isAnyLocalAddress() ? machineName() : Optional.empty())
            .orElseGet(
                () ->
                    address instanceof Inet6Address
                        ? "[" + address.getHostAddress() + "]"
                        : address.getHostAddress());
    return "http://" + host + ":" + server.getAddress().getPort() + "/" + check.token();
  }

  /** Returns whether only this machine can connect. */
  boolean isLocal() {
    return server.getAddress().getAddress().isLoopbackAddress();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    // The page has a policy of its own besides.
    headers.set("Content-Security-Policy", "frame-ancestors 'none'; base-uri 'none'");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
    Optional<String> resource = check.resource(exchange.getRequestURI().getRawPath());
    Optional<String> host = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Host"));
    if (resource.isEmpty()) {
      refuse(exchange, NOT_FOUND);
    } else if (!check.isOfThisMachine(host)) {
      refuse(exchange, FORBIDDEN);
    } else if (!exchange.getRequestMethod().equals("GET")) {
      headers.set("Allow", "GET");
      refuse(exchange, WRONG_METHOD);
    } else if (resource.get().equals("/")) {
      sendPage(exchange);
    } else if (resource.get().equals("/events")) {
      threads.newThread(() -> serve(exchange)).start();
    } else {
      refuse(exchange, NOT_FOUND);
    }
  }

  private static void refuse(HttpExchange exchange, int status) throws IOException {
    // What the request has besides is not read.
    exchange.getResponseHeaders().set("Connection", "close");
    exchange.sendResponseHeaders(status, WITHOUT_BODY);
    exchange.close();
  }

  private void sendPage(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange.sendResponseHeaders(OK, page.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(page);
    }
    exchange.close();
  }

  /** Serves the blocks, as server-sent events (HTML Standard, 9.2), by a thread of its own. */
  private void serve(HttpExchange exchange) {
    try {
      if (viewers.areMost()) {
        refuse(exchange, UNAVAILABLE);
        return;
      }
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
      exchange.sendResponseHeaders(OK, 0);
      Viewer viewer = viewers.join(exchange.getResponseBody());
      try {
        viewer.serve();
      } finally {
        viewers.leave(viewer);
      }
    } catch (IOException e) {
      // The viewer has gone: nobody is to be told.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  /** Closes all connections. */
  @Override
  public void close() {
    server.stop(0);
    requests.shutdownNow();
  }
}
