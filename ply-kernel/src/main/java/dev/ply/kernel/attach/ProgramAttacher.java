package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Attaches programs by their specs, or by their alternatives where the kernel refuses. All
 * attachments are opened before the first is enabled, so that programs start together.
 */
public final class ProgramAttacher {
  private final Target target;
  private final Attacher attacher;
  private final Function<ProbeProgram, LoadedProgram> loader;
  private final AttachmentSet attachments;
  private final AttachReport report;
  private final List<Opened> opened = new ArrayList<>();
  private final List<Opened> enabled = new ArrayList<>();

  /**
   * Creates an attacher.
   *
   * @param loader loads a program unless it is loaded
   * @param attachments receives each attachment as soon as it is opened
   */
  public ProgramAttacher(
      Target target,
      Attacher attacher,
      Function<ProbeProgram, LoadedProgram> loader,
      AttachmentSet attachments,
      AttachReport report) {
    this.target = target;
    this.attacher = attacher;
    this.loader = loader;
    this.attachments = attachments;
    this.report = report;
  }

  /** An opened attachment with its spec. */
  record Opened(ProbeProgram program, int index, Attachment attachment) {
    AttachSpec spec() {
      return program.specs().get(index);
    }
  }

  /** Opens the attachments of all programs, or reports what the kernel refuses. */
  public void open(List<ProbeProgram> programs) {
    for (ProbeProgram program : programs) {
      for (int i = 0; i < program.specs().size(); i++) {
        opened.addAll(open(program, i));
      }
    }
    report.requireSites();
  }

  /**
   * Enables what is open.
   *
   * @return warnings about what cannot fire, and notes about refused sites
   */
  public List<Diagnostic> enable() {
    // Ends last: each is seen with its beginning.
    List<Opened> all = new ArrayList<>(opened);
    opened.clear();
    all.sort(Comparator.comparing(one -> PairEnds.isEnd(one.spec())));
    all.forEach(this::enable);
    return report.finish();
  }

  /**
   * Pins the links of all programs that were attached, which then stay so.
   *
   * @param programs those to attach
   * @throws IllegalStateException if one has no link
   */
  public void pin(PinnedLinks links, List<ProbeProgram> programs) {
    links.pin(programs, enabled);
  }

  /** Opens an attachment, or an alternative; empty if the refused sites can be skipped. */
  private List<Opened> open(ProbeProgram program, int index) {
    AttachSpec spec = program.specs().get(index);
    AttachDiagnosis.checkOffset(spec, target)
        .ifPresent(
            error -> {
              throw error;
            });
    report.opening(spec);
    try {
      Attachment attachment = attacher.attach(spec, loader.apply(program));
      attachments.add(attachment, spec);
      report.opened(spec);
      return List.of(new Opened(program, index, attachment));
    } catch (RuntimeException refusal) {
      return instead(program, index, refusal);
    }
  }

  private void enable(Opened opened) {
    try {
      opened.attachment().enable();
      report.attached(opened.spec());
      enabled.add(opened);
    } catch (RuntimeException refusal) {
      attachments.discard(opened.attachment());
      instead(opened.program(), opened.index(), refusal).forEach(this::enable);
    }
  }

  private List<Opened> instead(ProbeProgram program, int index, RuntimeException refusal) {
    Optional<ProbeProgram> next = program.next().filter(unused -> isOfTheKernel(refusal));
    if (next.isEmpty()) {
      report.refused(program.specs().get(index), refusal);
      return List.of();
    }
    return program.instead(index).boxed().flatMap(i -> open(next.get(), i).stream()).toList();
  }

  private static boolean isOfTheKernel(RuntimeException refusal) {
    return refusal instanceof KernelException || refusal instanceof VerifierRejection;
  }
}
