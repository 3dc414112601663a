package dev.ply.cli.lsp;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * Checks documents one after the other. Of a document that changes meanwhile, only the newest
 * version is checked next; the check of another ends, and what it found is dropped. Thread-safe.
 */
final class Checks {
  /** What takes longer is reported as such. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final Executor executor;
  private final BiFunction<Document, Patience, ScriptCheck> check;
  private final BiConsumer<Document, ScriptCheck> publisher;

  /** Newest versions that are still to be checked, by URI. */
  private final Map<String, Document> waiting = new LinkedHashMap<>();

  /** What was found in the newest version, by URI. */
  private final Map<String, Checked> done = new ConcurrentHashMap<>();

  private final Map<String, Document> newest = new LinkedHashMap<>();

  /** What was found in a version. */
  record Checked(Document document, ScriptCheck check) {}

  /**
   * Creates checks.
   *
   * @param executor of one thread
   * @param publisher gets what was found in a version that is still the newest
   */
  Checks(
      Executor executor,
      BiFunction<Document, Patience, ScriptCheck> check,
      BiConsumer<Document, ScriptCheck> publisher) {
    this.executor = executor;
    this.check = check;
    this.publisher = publisher;
  }

  /** Has a version checked, in place of earlier ones. */
  synchronized void add(Document document) {
    newest.put(document.uri(), document);
    boolean isFirst = waiting.isEmpty();
    waiting.put(document.uri(), document);
    if (isFirst) {
      executor.execute(this::checkNext);
    }
  }

  /** Drops a document; what follows runs after what was found in it is published. */
  synchronized void remove(String uri, Runnable then) {
    newest.remove(uri);
    waiting.remove(uri);
    done.remove(uri);
    executor.execute(then);
  }

  /** Returns what was found in just this version, if its check has ended. */
  Optional<ScriptCheck> of(Document document) {
    return Optional.ofNullable(done.get(document.uri()))
        .filter(checked -> checked.document().equals(document))
        .map(Checked::check);
  }

  private void checkNext() {
    Optional<Document> next = next();
    try {
      next.ifPresent(
          document ->
              publish(
                  document,
                  check.apply(document, new Patience(() -> isNewest(document), LONGEST))));
    } catch (CancellationException e) {
      // A newer version is waiting, or the document has been closed.
    } finally {
      continueWithRest();
    }
  }

  private synchronized Optional<Document> next() {
    Optional<Document> next = waiting.values().stream().findFirst();
    next.ifPresent(document -> waiting.remove(document.uri()));
    return next;
  }

  private synchronized void continueWithRest() {
    if (!waiting.isEmpty()) {
      executor.execute(this::checkNext);
    }
  }

  /** Editors that do not read what is published are no reason not to read from them. */
  private void publish(Document document, ScriptCheck found) {
    if (isNewest(document)) {
      done.put(document.uri(), new Checked(document, found));
      publisher.accept(document, found);
    }
  }

  private synchronized boolean isNewest(Document document) {
    return document.equals(newest.get(document.uri()));
  }
}
