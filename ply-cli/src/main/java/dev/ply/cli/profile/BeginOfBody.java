package dev.ply.cli.profile;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The begin of an answer, for a message; the rest is left unread, however long it is. */
final class BeginOfBody implements BodySubscriber<String> {
  private static final int MOST = 200;

  private final ByteArrayOutputStream begin = new ByteArrayOutputStream();
  private final CompletableFuture<String> body = new CompletableFuture<>();

  @Override
  public CompletionStage<String> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      while (buffer.hasRemaining() && begin.size() < MOST) {
        begin.write(buffer.get());
      }
    }
    if (begin.size() == MOST) {
      onComplete();
    }
  }

  @Override
  public void onError(Throwable throwable) {
    onComplete();
  }

  @Override
  public void onComplete() {
    boolean unused = body.complete(begin.toString(StandardCharsets.UTF_8));
  }
}
