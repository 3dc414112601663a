package dev.ply.lang.events;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reports the errors of definitions. */
public final class Problems {
  private final Diagnostics diagnostics;

  public Problems(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** Ends the parse of a part of a definition whose error has been reported. */
  public static final class Reported extends Exception {
    private static final long serialVersionUID = 1;

    public Reported() {
      super("reported", null, false, false);
    }
  }

  /** Reports an error, and returns the exception that ends the parse. */
  public Reported error(ProbeError error, SourceSpan span, String... hints) {
    diagnostics.error(DiagnosticCode.BAD_PROBE_DEFINITION, span, error.message(), hints);
    return new Reported();
  }

  /** Reports an error that the kernel does not log. */
  public Reported error(SourceSpan span, String message, String... hints) {
    diagnostics.error(DiagnosticCode.BAD_PROBE_DEFINITION, span, message, hints);
    return new Reported();
  }

  /** Reports something to know. */
  public void note(SourceSpan span, String message, String... hints) {
    diagnostics.note(DiagnosticCode.NO_EFFECT, span, message, hints);
  }

  /** Reports something that is ignored. */
  public void warning(SourceSpan span, String message, String... hints) {
    diagnostics.warning(DiagnosticCode.NO_EFFECT, span, message, hints);
  }

  /** Returns hints: the nearest candidate, if any is near, then what is accepted. */
  public static String[] nearest(String word, Stream<String> candidates, String accepted) {
    List<String> hints = new ArrayList<>(List.of(Suggestions.hint(word, candidates)));
    hints.add(accepted);
    return hints.toArray(String[]::new);
  }
}
