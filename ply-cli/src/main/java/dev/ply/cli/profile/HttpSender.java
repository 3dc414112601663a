package dev.ply.cli.profile;

import dev.ply.cli.io.HttpFailure;
import dev.ply.cli.io.UsageException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests, one at a time, each within a limited time. Redirects are not followed: they would
 * take a profile, and what authorises it, to another host than the one that was named.
 */
final class HttpSender {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** A profile that a store answers so would be answered so again. */
  private static final Set<Integer> REFUSALS = Set.of(400, 413, 415, 422);

  private final ProfileStore store;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT)
          .build();
  private Optional<CompletableFuture<HttpResponse<String>>> current = Optional.empty();
  private boolean isPaused;

  /**
   * Creates a sender.
   *
   * @throws UsageException if a header cannot be sent
   */
  HttpSender(ProfileStore store) throws UsageException {
    this.store = store;
    HttpRequest unused = request(new byte[0]);
  }

  private HttpRequest request(byte[] body) throws UsageException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(store.endpoint()).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    for (Map.Entry<String, String> header : store.headers().entrySet()) {
      try {
        request.setHeader(header.getKey(), header.getValue());
      } catch (IllegalArgumentException e) {
        // The value may be a secret.
        throw new UsageException("the header \"" + header.getKey() + "\" cannot be sent");
      }
    }
    return request.build();
  }

  /**
   * Sends a body, and waits for the answer.
   *
   * @param most how long, if that is shorter than the store's own limit
   */
  Answer send(byte[] body, Duration most) throws InterruptedException {
    Duration time = most.compareTo(store.timeout()) < 0 ? most : store.timeout();
    try {
      Optional<CompletableFuture<HttpResponse<String>>> sent = begin(request(body));
      if (sent.isEmpty()) {
        return new Answer.Ended();
      }
      try {
        return answer(sent.get().get(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS));
      } finally {
        boolean unused = sent.get().cancel(true);
      }
    } catch (UsageException e) {
      return new Answer.Failed(String.valueOf(e.getMessage()));
    } catch (TimeoutException e) {
      return new Answer.Failed("no answer within " + time.toMillis() + " ms");
    } catch (CancellationException e) {
      return new Answer.Ended();
    } catch (ExecutionException e) {
      return new Answer.Failed(HttpFailure.reason(e));
    }
  }

  private synchronized Optional<CompletableFuture<HttpResponse<String>>> begin(
      HttpRequest request) {
    current =
        isPaused ? Optional.empty() : Optional.of(client.sendAsync(request, HttpSender::body));
    return current;
  }

  /** Ends waiting for an answer, and sends nothing until {@link #resume}. */
  synchronized void pause() {
    isPaused = true;
    current.ifPresent(one -> one.cancel(true));
  }

  synchronized void resume() {
    isPaused = false;
  }

  private static BodySubscriber<String> body(HttpResponse.ResponseInfo info) {
    return info.statusCode() / 100 == 2 ? BodySubscribers.replacing("") : new BeginOfBody();
  }

  private static Answer answer(HttpResponse<String> response) {
    int status = response.statusCode();
    if (status / 100 == 2) {
      return new Answer.Accepted();
    }
    if (status / 100 == 3) {
      return new Answer.Failed(
          "it redirects to "
              + response.headers().firstValue("location").orElse("nowhere")
              + ", which is not followed");
    }
    String text = response.body().strip();
    String reason = "status " + status + (text.isEmpty() ? "" : ": " + text);
    return REFUSALS.contains(status) ? new Answer.Refused(reason) : new Answer.Failed(reason);
  }
}
