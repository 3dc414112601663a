package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.SystemCalls;

/** A kprobe.multi link: one program on many functions, through fprobe. Requires Linux 5.18. */
final class KprobeMulti {
  private KprobeMulti() {}

  static Attachment on(AttachSpec.KprobeMulti spec, LoadedProgram program) {
    String description =
        (spec.isReturn() ? "the returns" : "the entries")
            + " of "
            + spec.functions().size()
            + " functions (kprobe-multi)";
    return new DeferredLink(
        description,
        () -> {
          BpfAttr attr =
              BpfAttr.kprobeMulti(
                  program.descriptor(), spec.functions(), spec.cookies(), spec.isReturn());
          return SystemCalls.openBpf(BpfCommand.LINK_CREATE, attr, description);
        });
  }
}
