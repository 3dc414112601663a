package dev.ply.result;

import dev.ply.diagnostic.SourceSpan;
import java.util.Optional;

/**
 * Something that has failed while a program ran.
 *
 * @param span the position of the expression
 * @param message why: of a helper, what its error number means
 * @param helper the call of the kernel's that has failed, if it was one
 * @param count how often it has failed at this position so far
 */
public record RuntimeError(
    SourceSpan span, String message, Optional<HelperResult> helper, long count) {
  /**
   * {@return what has failed, in a sentence: {@code Failed to probe_read_user: Bad address (-14)}}
   */
  public String sentence() {
    String failed =
        helper
            .map(call -> "Failed to " + call.name() + ": " + message + " (" + call.code() + ")")
            .orElse(message);
    return count == 1 ? failed : failed + ", " + count + " times so far";
  }

  /**
   * A failed call of a helper of the kernel.
   *
   * @param name of the helper, {@code probe_read_user}
   * @param code what it returned, a negative error number, or 0 if it found nothing
   */
  public record HelperResult(String name, int code) {}
}
