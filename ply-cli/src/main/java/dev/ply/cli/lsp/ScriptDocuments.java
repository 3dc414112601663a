package dev.ply.cli.lsp;

import dev.ply.cli.completion.LiveNames;
import dev.ply.kernel.RunningKernel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.eclipse.lsp4j.CompletionItem;
import org.eclipse.lsp4j.CompletionList;
import org.eclipse.lsp4j.CompletionParams;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.DidSaveTextDocumentParams;
import org.eclipse.lsp4j.DocumentFormattingParams;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.TextDocumentIdentifier;
import org.eclipse.lsp4j.TextDocumentItem;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.jsonrpc.CancelChecker;
import org.eclipse.lsp4j.jsonrpc.CompletableFutures;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.TextDocumentService;

/**
 * The scripts that an editor has open. Checks and answers run on a thread each: a long check delays
 * no answer.
 */
final class ScriptDocuments implements TextDocumentService {
  private final List<Dialect> dialects;
  private final List<Path> programs;
  private final Map<String, Document> open = new ConcurrentHashMap<>();
  private final AtomicReference<LanguageClient> client = new AtomicReference<>();
  private final ExecutorService answers;
  private final Checks checks;

  /** What files of the machine tell; read anew after a save, as modules and programs change. */
  private volatile RunningKernel kernel = RunningKernel.untried();

  /**
   * Creates an editor without scripts.
   *
   * @param dialects the first is that of files with other endings
   * @param programs the directories of programs, as in {@code $PATH}
   * @param checking a thread for checks
   * @param answers a thread for answers
   */
  ScriptDocuments(
      List<Dialect> dialects,
      List<Path> programs,
      ExecutorService checking,
      ExecutorService answers) {
    this.dialects = List.copyOf(dialects);
    this.programs = List.copyOf(programs);
    this.answers = answers;
    this.checks = new Checks(checking, this::check, this::publish);
  }

  void connect(LanguageClient editor) {
    client.set(editor);
  }

  private ScriptCheck check(Document document, Patience patience) {
    return ScriptCheck.of(document, dialect(document), kernel, patience);
  }

  private Dialect dialect(Document document) {
    return dialects.stream()
        .filter(one -> document.fileName().endsWith(one.ending()))
        .findFirst()
        .orElse(dialects.get(0));
  }

  private void publish(Document document, ScriptCheck check) {
    publish(PublishedDiagnostics.of(document, check));
  }

  private void publish(PublishDiagnosticsParams diagnostics) {
    Optional.ofNullable(client.get()).ifPresent(editor -> editor.publishDiagnostics(diagnostics));
  }

  @Override
  public void didOpen(DidOpenTextDocumentParams opened) {
    TextDocumentItem item = opened.getTextDocument();
    put(new Document(item.getUri(), item.getVersion(), item.getText()));
  }

  @Override
  public void didChange(DidChangeTextDocumentParams changed) {
    String uri = changed.getTextDocument().getUri();
    find(uri)
        .map(
            document ->
                document.changed(
                    changed.getTextDocument().getVersion(), changed.getContentChanges()))
        .ifPresent(this::put);
  }

  private void put(Document document) {
    open.put(document.uri(), document);
    checks.add(document);
  }

  @Override
  public void didClose(DidCloseTextDocumentParams closed) {
    String uri = closed.getTextDocument().getUri();
    open.remove(uri);
    checks.remove(uri, () -> publish(new PublishDiagnosticsParams(uri, List.of())));
  }

  /** What the script names may be other than before: it is read anew. */
  @Override
  public void didSave(DidSaveTextDocumentParams saved) {
    kernel = RunningKernel.untried();
    find(saved.getTextDocument().getUri()).ifPresent(checks::add);
  }

  private Optional<Document> find(String uri) {
    return Optional.ofNullable(open.get(uri));
  }

  private LiveNames names() {
    return new LiveNames(kernel, programs);
  }

  @Override
  public CompletableFuture<Hover> hover(HoverParams asked) {
    return answer(
        asked.getTextDocument(),
        // The protocol has null for nothing.
        new Hover(List.of()),
        document ->
            new Hovers(document, checks.of(document), names())
                .at(document.lines().index(asked.getPosition()))
                .orElseGet(() -> new Hover(List.of())));
  }

  @Override
  public CompletableFuture<Either<List<CompletionItem>, CompletionList>> completion(
      CompletionParams asked) {
    return answer(
        asked.getTextDocument(),
        Either.forLeft(List.of()),
        document ->
            Either.forRight(
                Completions.at(document, document.lines().index(asked.getPosition()), names())));
  }

  @Override
  public CompletableFuture<List<? extends TextEdit>> formatting(DocumentFormattingParams asked) {
    return answer(asked.getTextDocument(), List.of(), Formatting::of);
  }

  /** Answers for the version that is open when the question comes. */
  private <T> CompletableFuture<T> answer(
      TextDocumentIdentifier asked, T nothing, Function<Document, ? extends T> answer) {
    Optional<Document> document = find(asked.getUri());
    return CompletableFutures.computeAsync(
        answers, cancelled -> answer(document, nothing, answer, cancelled));
  }

  private static <T> T answer(
      Optional<Document> document,
      T nothing,
      Function<Document, ? extends T> answer,
      CancelChecker cancelled) {
    cancelled.checkCanceled();
    if (document.isEmpty()) {
      return nothing;
    }
    try {
      return answer.apply(document.get());
    } catch (RuntimeException | StackOverflowError e) {
      // What this machine cannot tell is no answer; diagnostics say why.
      return nothing;
    }
  }
}
