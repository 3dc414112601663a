package dev.ply;

import dev.ply.diagnostic.SourceSpan;
import java.util.Set;

/** Finds the line of the program that calls the fluent API, for diagnostics. */
public final class CallSite {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final Set<String> PACKAGES = Set.of("dev.ply", "dev.ply.value");

  private CallSite() {}

  /** {@return the nearest caller outside the fluent API} */
  public static SourceSpan here() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !isApi(frame.getClassName()))
                .findFirst()
                .map(CallSite::span)
                .orElse(SourceSpan.NONE));
  }

  private static boolean isApi(String className) {
    return PACKAGES.contains(className.substring(0, Math.max(0, className.lastIndexOf('.'))));
  }

  private static SourceSpan span(StackWalker.StackFrame frame) {
    String file = frame.getFileName();
    int line = Math.max(0, frame.getLineNumber());
    return new SourceSpan(file == null ? frame.getClassName() : file, line, 0, line, 0);
  }
}
