package dev.ply.bpf.object;

import dev.ply.ir.SourceSpan;
import dev.ply.target.Mechanism;
import java.util.Optional;

/**
 * A probe site in the words of its script, and why a program is attached there as it is: what
 * reports and messages about an attachment say.
 *
 * @param definition as scripts write it, provider in full: {@code kprobe:vfs_read}
 * @param span the definition in the source
 * @param pattern the definition of the pattern that the site is one of: it can be left out where
 *     the kernel refuses it; empty for a site that the script names
 * @param reason why this mechanism was chosen, a sentence without its end
 */
public record AttachSite(
    String definition,
    SourceSpan span,
    Optional<String> pattern,
    Mechanism mechanism,
    String reason) {
  /** A site that no script defines. */
  public static AttachSite of(String definition, Mechanism mechanism) {
    return new AttachSite(
        definition, SourceSpan.NONE, Optional.empty(), mechanism, "it was asked for");
  }
}
