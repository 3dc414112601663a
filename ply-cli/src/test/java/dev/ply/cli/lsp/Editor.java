package dev.ply.cli.lsp;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.CompletionList;
import org.eclipse.lsp4j.CompletionParams;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.DocumentFormattingParams;
import org.eclipse.lsp4j.FormattingOptions;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializeResult;
import org.eclipse.lsp4j.MessageActionItem;
import org.eclipse.lsp4j.MessageParams;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.ShowMessageRequestParams;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;
import org.eclipse.lsp4j.TextDocumentIdentifier;
import org.eclipse.lsp4j.TextDocumentItem;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.VersionedTextDocumentIdentifier;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;

/** An editor with one window, over the streams of a server. */
final class Editor implements LanguageClient {
  private static final long PATIENCE = 120;

  final LanguageServer server;
  final InitializeResult initialized;
  private final OutputStream output;
  private final BlockingQueue<PublishDiagnosticsParams> published = new LinkedBlockingQueue<>();
  private int version;

  Editor(InputStream input, OutputStream output) throws Exception {
    this.output = output;
    Launcher<LanguageServer> launcher =
        new LSPLauncher.Builder<LanguageServer>()
            .setLocalService(this)
            .setRemoteInterface(LanguageServer.class)
            .setInput(input)
            .setOutput(output)
            .setExecutorService(Executors.newSingleThreadExecutor(Editor::daemon))
            .create();
    server = launcher.getRemoteProxy();
    Future<Void> unused = launcher.startListening();
    initialized = in(server.initialize(new InitializeParams()));
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "editor");
    thread.setDaemon(true);
    return thread;
  }

  static <T> T in(CompletableFuture<T> answer) throws Exception {
    return answer.get(PATIENCE, TimeUnit.SECONDS);
  }

  void open(String uri, String text) {
    server
        .getTextDocumentService()
        .didOpen(new DidOpenTextDocumentParams(new TextDocumentItem(uri, "ply", ++version, text)));
  }

  void change(String uri, TextDocumentContentChangeEvent... changes) {
    server
        .getTextDocumentService()
        .didChange(
            new DidChangeTextDocumentParams(
                new VersionedTextDocumentIdentifier(uri, ++version), List.of(changes)));
  }

  void close(String uri) {
    server
        .getTextDocumentService()
        .didClose(new DidCloseTextDocumentParams(new TextDocumentIdentifier(uri)));
  }

  /** Returns the diagnostics of the newest version of a document. */
  List<Diagnostic> diagnostics(String uri) throws Exception {
    while (true) {
      PublishDiagnosticsParams next = published.poll(PATIENCE, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("no diagnostics of " + uri);
      }
      if (next.getUri().equals(uri)
          && (next.getVersion() == null || next.getVersion() == version)) {
        return next.getDiagnostics();
      }
    }
  }

  /** Returns the diagnostics of a script as lines: where, which and what. */
  List<String> lines(String uri, String text) throws Exception {
    open(uri, text);
    return diagnostics(uri).stream().map(Editor::line).toList();
  }

  static String line(Diagnostic one) {
    Position start = one.getRange().getStart();
    Position end = one.getRange().getEnd();
    return "%d:%d-%d:%d %s %s: %s"
        .formatted(
            start.getLine(),
            start.getCharacter(),
            end.getLine(),
            end.getCharacter(),
            one.getSeverity(),
            one.getCode() == null ? "" : one.getCode().getLeft(),
            one.getMessage());
  }

  Hover hover(String uri, int line, int character) throws Exception {
    return in(
        server
            .getTextDocumentService()
            .hover(
                new HoverParams(new TextDocumentIdentifier(uri), new Position(line, character))));
  }

  CompletionList complete(String uri, int line, int character) throws Exception {
    return in(server
            .getTextDocumentService()
            .completion(
                new CompletionParams(
                    new TextDocumentIdentifier(uri), new Position(line, character))))
        .getRight();
  }

  List<? extends TextEdit> format(String uri) throws Exception {
    return in(
        server
            .getTextDocumentService()
            .formatting(
                new DocumentFormattingParams(
                    new TextDocumentIdentifier(uri), new FormattingOptions(2, true))));
  }

  @Override
  public void publishDiagnostics(PublishDiagnosticsParams diagnostics) {
    published.add(diagnostics);
  }

  @Override
  public void telemetryEvent(Object object) {
    throw new AssertionError(object);
  }

  @Override
  public void showMessage(MessageParams message) {
    throw new AssertionError(message);
  }

  @Override
  public CompletableFuture<MessageActionItem> showMessageRequest(ShowMessageRequestParams asked) {
    throw new AssertionError(asked);
  }

  @Override
  public void logMessage(MessageParams message) {
    throw new AssertionError(message);
  }

  /** Says shutdown and exit. */
  void leave() throws Exception {
    Object unused = in(server.shutdown());
    server.exit();
    output.close();
  }
}
