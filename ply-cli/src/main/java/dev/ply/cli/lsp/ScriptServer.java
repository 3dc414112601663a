package dev.ply.cli.lsp;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.lsp4j.CompletionOptions;
import org.eclipse.lsp4j.DidChangeConfigurationParams;
import org.eclipse.lsp4j.DidChangeWatchedFilesParams;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializeResult;
import org.eclipse.lsp4j.SaveOptions;
import org.eclipse.lsp4j.ServerCapabilities;
import org.eclipse.lsp4j.ServerInfo;
import org.eclipse.lsp4j.SetTraceParams;
import org.eclipse.lsp4j.TextDocumentSyncKind;
import org.eclipse.lsp4j.TextDocumentSyncOptions;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.eclipse.lsp4j.services.WorkspaceService;

/** The server, from an editor's first message to its last. */
public final class ScriptServer implements LanguageServer, WorkspaceService {
  /** The stack size in bytes, for scripts at the nesting limit. */
  private static final long STACK = 8 << 20;

  /** Its level is kept as long as it is referred to. */
  private static final Logger LOGGER = Logger.getLogger("org.eclipse.lsp4j");

  private final String version;
  private final ScriptDocuments documents;
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();
  private volatile boolean isShutDown;

  private ScriptServer(String version, ScriptDocuments documents) {
    this.version = version;
    this.documents = documents;
  }

  /**
   * Answers an editor until it says exit, or closes the input.
   *
   * @param version of ply
   * @param dialects the first is that of files with other endings
   * @param programs the directories of programs, as in {@code $PATH}
   * @return whether it ended as agreed: after a shutdown
   */
  public static boolean serve(
      InputStream input,
      OutputStream output,
      String version,
      List<Dialect> dialects,
      List<Path> programs)
      throws InterruptedException {
    // Messages that are none are answered; what else there is to say would be in between.
    LOGGER.setLevel(Level.OFF);
    ExecutorService checking = thread("ply-checks");
    ExecutorService answers = thread("ply-answers");
    ExecutorService reading = thread("ply-messages");
    ExecutorService waiting = thread("ply-end");
    try {
      ScriptServer server =
          new ScriptServer(version, new ScriptDocuments(dialects, programs, checking, answers));
      Launcher<LanguageClient> launcher =
          new LSPLauncher.Builder<LanguageClient>()
              .setLocalService(server)
              .setRemoteInterface(LanguageClient.class)
              .setInput(input)
              .setOutput(output)
              .setExecutorService(reading)
              .create();
      server.documents.connect(launcher.getRemoteProxy());
      Future<Void> listening = launcher.startListening();
      waiting.execute(() -> server.endAfter(listening));
      return server.end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      List.of(checking, answers, reading, waiting).forEach(ExecutorService::shutdownNow);
    }
  }

  private static ExecutorService thread(String name) {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> {
          Thread thread = new Thread(null, task, name, STACK);
          thread.setDaemon(true);
          return thread;
        },
        // Nobody waits for what is still to do when the editor has gone.
        new ThreadPoolExecutor.DiscardPolicy());
  }

  private void endAfter(Future<Void> listening) {
    try {
      listening.get();
    } catch (ExecutionException e) {
      // The input cannot be read: as if it was closed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end.complete(true);
  }

  @Override
  public CompletableFuture<InitializeResult> initialize(InitializeParams parameters) {
    ServerCapabilities capabilities = new ServerCapabilities();
    TextDocumentSyncOptions sync = new TextDocumentSyncOptions();
    sync.setOpenClose(true);
    sync.setChange(TextDocumentSyncKind.Incremental);
    sync.setSave(new SaveOptions(false));
    capabilities.setTextDocumentSync(sync);
    capabilities.setHoverProvider(true);
    capabilities.setDocumentFormattingProvider(true);
    capabilities.setCompletionProvider(
        new CompletionOptions(false, List.of(":", ".", ">", "/", "@")));
    return CompletableFuture.completedFuture(
        new InitializeResult(capabilities, new ServerInfo("ply", version)));
  }

  @Override
  public CompletableFuture<Object> shutdown() {
    isShutDown = true;
    return CompletableFuture.completedFuture(new Object());
  }

  @Override
  public void exit() {
    end.complete(isShutDown);
  }

  @Override
  public TextDocumentService getTextDocumentService() {
    return documents;
  }

  @Override
  public WorkspaceService getWorkspaceService() {
    return this;
  }

  @Override
  public void didChangeConfiguration(DidChangeConfigurationParams changed) {
    // There are no settings.
  }

  @Override
  public void didChangeWatchedFiles(DidChangeWatchedFilesParams changed) {
    // None is watched.
  }

  @Override
  public void setTrace(SetTraceParams level) {
    // There is nothing more to say.
  }
}
