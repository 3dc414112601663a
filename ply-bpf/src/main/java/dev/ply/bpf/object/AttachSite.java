package dev.ply.bpf.object;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.probe.MissingProbes;
import dev.ply.target.Mechanism;
import java.util.Optional;

/**
 * A probe site in the script's terms, and why its mechanism was chosen: for reports and messages.
 *
 * @param definition as scripts write it, provider in full: {@code kprobe:vfs_read}
 * @param span the definition in the source
 * @param pattern the pattern that selected the site, which is skipped if the kernel refuses it;
 *     empty for a site named by the script
 * @param missing what happens if the kernel refuses all sites of the pattern
 * @param mechanism how it is attached
 * @param reason why this mechanism was chosen, a sentence without full stop
 */
public record AttachSite(
    String definition,
    SourceSpan span,
    Optional<String> pattern,
    MissingProbes missing,
    Mechanism mechanism,
    String reason) {
  /**
   * A site that no script defines.
   *
   * @param definition for messages
   * @param mechanism how it is attached
   * @return the site, at no position of a source
   */
  public static AttachSite of(String definition, Mechanism mechanism) {
    return new AttachSite(
        definition,
        SourceSpan.NONE,
        Optional.empty(),
        MissingProbes.ERROR,
        mechanism,
        "it was asked for");
  }
}
