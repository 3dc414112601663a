package dev.ply.cli.serve;

import dev.ply.TraceFailedException;
import dev.ply.bpf.verifier.VerificationException;
import dev.ply.cli.io.DiagnosticLine;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.CompilationException;
import dev.ply.kernel.MissingPrivilegesException;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.target.UnreadableTargetException;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Why a script does not run.
 *
 * @param message in one line
 */
record Failure(Kind kind, String message) {
  /** The kinds of failures, which are values of a label. */
  enum Kind {
    /** Its options are wrong, or its file cannot be read. */
    OPTIONS,
    /** It has errors. */
    COMPILE,
    /** A verifier refuses its programs. */
    VERIFIER,
    /** This process lacks privileges. */
    PRIVILEGES,
    /** The kernel refuses something else, such as to attach a probe. */
    KERNEL,
    /** It failed while it ran. */
    RUN,
    /** It has ended itself. */
    ENDED,
    /** The heap was too small. */
    MEMORY,
    /** A bug. */
    INTERNAL;

    /** Returns the value of the label. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns what an exception means. */
  static Failure of(Throwable thrown) {
    if (thrown instanceof TraceFailedException) {
      Failure cause =
          thrown.getCause() == null
              ? new Failure(Kind.RUN, message(thrown))
              : of(thrown.getCause());
      return cause.kind == Kind.MEMORY ? cause : new Failure(Kind.RUN, cause.message);
    } else if (thrown instanceof UsageException) {
      return new Failure(Kind.OPTIONS, message(thrown));
    } else if (thrown instanceof CompilationException refusal) {
      return new Failure(Kind.COMPILE, DiagnosticLine.ofErrors(refusal.diagnostics()));
    } else if (thrown instanceof VerifierRejection || thrown instanceof VerificationException) {
      return new Failure(Kind.VERIFIER, message(thrown).lines().findFirst().orElse(""));
    } else if (thrown instanceof MissingPrivilegesException) {
      return new Failure(Kind.PRIVILEGES, message(thrown));
    } else if (thrown instanceof KernelException
        || thrown instanceof UnreadableTargetException
        || thrown instanceof UncheckedIOException) {
      return new Failure(Kind.KERNEL, message(thrown));
    } else if (thrown instanceof OutOfMemoryError) {
      return new Failure(Kind.MEMORY, Failures.MORE_MEMORY);
    }
    return new Failure(Kind.INTERNAL, "unexpected " + thrown + ": please report this");
  }

  private static String message(Throwable thrown) {
    return String.valueOf(thrown.getMessage());
  }
}
