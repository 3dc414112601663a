package dev.ply.cli.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/** Answers all requests but those for metrics, as Prometheus does for its own. */
final class LifecyclePages implements HttpHandler {
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int FAILED = 500;
  private static final int NOT_READY = 503;

  private final Lifecycle lifecycle;

  LifecyclePages(Lifecycle lifecycle) {
    this.lifecycle = lifecycle;
  }

  private record Answer(int status, String text) {}

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    Answer answer = answer(exchange);
    byte[] body = (answer.text() + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.status(), isHead ? -1 : body.length);
    if (!isHead) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private Answer answer(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/-/reload")) {
      return reload(exchange);
    }
    if (!Set.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
      return new Answer(METHOD_NOT_ALLOWED, "GET alone is answered here");
    }
    return switch (path) {
      case "/" -> new Answer(OK, "ply: the metrics are at /metrics");
      case "/-/healthy" -> new Answer(OK, "ply is healthy.");
      case "/-/ready" ->
          lifecycle.isReady().getAsBoolean()
              ? new Answer(OK, "ply is ready.")
              : new Answer(NOT_READY, "ply is starting.");
      default -> new Answer(NOT_FOUND, "not found: the metrics are at /metrics");
    };
  }

  private Answer reload(HttpExchange exchange) {
    if (lifecycle.reload().isEmpty()) {
      return new Answer(
          FORBIDDEN,
          "reloading by requests is off: \"reload_by_http: true\" allows it, and SIGHUP");
    }
    if (!Set.of("POST", "PUT").contains(exchange.getRequestMethod())) {
      return new Answer(METHOD_NOT_ALLOWED, "reloading takes a POST");
    }
    // Sent by browsers, for pages of others.
    if (exchange.getRequestHeaders().containsKey("Origin")) {
      return new Answer(FORBIDDEN, "pages of others cannot reload this");
    }
    Optional<String> problem = lifecycle.reload().get().get();
    return problem
        .map(text -> new Answer(FAILED, "failed to reload: " + text))
        .orElse(new Answer(OK, "reloaded"));
  }
}
