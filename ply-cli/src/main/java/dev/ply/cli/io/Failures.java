package dev.ply.cli.io;

import dev.ply.TraceFailedException;
import dev.ply.bpf.verifier.VerificationException;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Source;
import dev.ply.kernel.MissingPrivilegesException;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.target.UnreadableTargetException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Reports failures as messages; stack traces only with debug lines. */
public final class Failures {
  /** The advice for a full heap. */
  public static final String MORE_MEMORY =
      "out of memory at "
          + (Runtime.getRuntime().maxMemory() >> 20)
          + " MiB: PLY_HEAP=2g (or -Xmx2g of java) raises the limit; fewer map entries and smaller"
          + " keys need less";

  private static final String OUR_FAULT = "this is a bug in ply, please report it";

  private final Console console;

  /** Creates what reports to a console. */
  public Failures(Console console) {
    this.console = console;
  }

  /** An operation that returns an exit status. */
  public interface Attempt {
    /** Runs the operation. */
    int run() throws InterruptedException, UsageException;
  }

  /** Runs an operation and returns its exit status; reports exceptions for a source. */
  public int guard(Source source, Attempt attempt) throws UsageException {
    try {
      return attempt.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      report(e, source);
    }
    return ExitCode.FAILURE;
  }

  /** Reports why the program of {@code source} does not run. */
  public void report(Throwable failure, Source source) {
    if (failure instanceof TraceFailedException && failure.getCause() != null) {
      report(failure.getCause(), source);
      return;
    }
    if (failure instanceof CompilationException refusal) {
      console.diagnostics(refusal.diagnostics(), source);
    } else if (failure instanceof MissingPrivilegesException
        || failure instanceof UnreadableTargetException
        || failure instanceof KernelException
        || failure instanceof UncheckedIOException) {
      console.error(String.valueOf(failure.getMessage()));
    } else if (failure instanceof OutOfMemoryError) {
      console.error(MORE_MEMORY);
    } else if (failure instanceof VerifierRejection rejection
        && rejection.excludedHelper().isPresent()) {
      console.error(
          "this kernel allows no program to call "
              + rejection.excludedHelper().get()
              + ": lockdown or its configuration excludes it");
    } else if (failure instanceof VerifierRejection rejection) {
      console.errorLines(String.valueOf(rejection.getMessage()));
      console.error(OUR_FAULT + (console.debugs() ? "" : " with what -d shows"));
      console.debug("the kernel's verifier reports:\n" + rejection.log());
    } else if (failure instanceof VerificationException) {
      console.errorLines(String.valueOf(failure.getMessage()));
      console.error("please report it");
    } else {
      console.error("unexpected " + failure + ": " + OUR_FAULT);
    }
    trace(failure);
  }

  private void trace(Throwable failure) {
    if (console.debugs()) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      console.debug(trace.toString());
    }
  }
}
