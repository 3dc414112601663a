package dev.ply;

import dev.ply.diagnostic.SourceSpan;

/** Finds the line of the program that calls the fluent API, for diagnostics. */
final class CallSite {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String API = CallSite.class.getPackageName();

  private CallSite() {}

  /** Returns the nearest caller outside this package. */
  static SourceSpan here() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !isApi(frame.getClassName()))
                .findFirst()
                .map(CallSite::span)
                .orElse(SourceSpan.NONE));
  }

  private static boolean isApi(String className) {
    return className.lastIndexOf('.') == API.length() && className.startsWith(API);
  }

  private static SourceSpan span(StackWalker.StackFrame frame) {
    String file = frame.getFileName();
    int line = Math.max(0, frame.getLineNumber());
    return new SourceSpan(file == null ? frame.getClassName() : file, line, 0, line, 0);
  }
}
