package dev.ply.kernel;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.kernel.attach.AttachDiagnosis;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the probes on functions that a kernel does not have, without attaching anything: what is
 * otherwise reported when the kernel refuses them.
 */
public final class MissingFunctions {
  private final Target target;
  private final List<Diagnostic> missing = new ArrayList<>();

  private MissingFunctions(Target target) {
    this.target = target;
  }

  /**
   * Returns an error for each such probe; none where the kernel does not let this process see its
   * functions.
   */
  public static List<Diagnostic> find(BpfObject object, Target target) {
    MissingFunctions functions = new MissingFunctions(target);
    try {
      for (ProbeProgram program : object.programs()) {
        program.specs().forEach(functions::check);
      }
    } catch (UnreadableTargetException e) {
      return List.of();
    }
    return List.copyOf(functions.missing);
  }

  private void check(AttachSpec spec) {
    if (spec instanceof AttachSpec.Kprobe kprobe
        && kprobe.location() instanceof KernelLocation.Symbol symbol) {
      check(kprobe.site(), symbol);
    }
  }

  private void check(AttachSite site, KernelLocation.Symbol symbol) {
    KernelSymbols symbols = target.symbols();
    boolean isKnown = symbols.names().anyMatch(symbol.function()::equals);
    if (!isKnown && symbols.names().findAny().isPresent()) {
      missing.add(AttachDiagnosis.unknown(site, symbol, target));
    }
  }
}
