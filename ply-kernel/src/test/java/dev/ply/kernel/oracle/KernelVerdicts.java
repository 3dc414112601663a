package dev.ply.kernel.oracle;

import dev.ply.bpf.encoding.EncodedProgram;
import dev.ply.bpf.encoding.InstructionEncoder;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.load.AttachTarget;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kernel's verdicts on programs that share their maps, which are made once. */
public final class KernelVerdicts implements AutoCloseable {
  private final Map<String, LoadedMap> maps = new LinkedHashMap<>();
  private final InstructionEncoder encoder;

  /** Makes the maps. */
  public KernelVerdicts(List<BpfMap> maps) {
    try {
      for (BpfMap map : maps) {
        this.maps.put(map.name(), LoadedMap.create(map));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    this.encoder =
        new InstructionEncoder(
            ByteOrder.nativeOrder(),
            name ->
                Optional.ofNullable(this.maps.get(name))
                    .orElseThrow(() -> new IllegalArgumentException("no map " + name))
                    .descriptor());
  }

  /**
   * A verdict.
   *
   * @param program the loaded program, if it was accepted; whoever asked closes it
   * @param log the verifier's last words, or the error, if it was not
   */
  public record Verdict(Optional<LoadedProgram> program, String log) implements AutoCloseable {
    /** Tells whether the kernel accepts the program. */
    public boolean isAccepted() {
      return program.isPresent();
    }

    @Override
    public void close() {
      program.ifPresent(LoadedProgram::close);
    }
  }

  /** Asks the kernel. */
  public Verdict of(BpfProgram program) {
    return of(program, AttachTarget.ANY);
  }

  /** Asks the kernel about a program for that place. */
  public Verdict of(BpfProgram program, AttachTarget target) {
    EncodedProgram code = encoder.encode(program.code());
    try {
      return new Verdict(
          Optional.of(LoadedProgram.load(program.name(), program.type(), target, code)), "");
    } catch (VerifierRejection refused) {
      return new Verdict(Optional.empty(), refused.log());
    } catch (KernelException refused) {
      return new Verdict(Optional.empty(), String.valueOf(refused.getMessage()));
    }
  }

  /** Returns a map. */
  LoadedMap map(String name) {
    return Optional.ofNullable(maps.get(name)).orElseThrow();
  }

  @Override
  public void close() {
    maps.values().forEach(LoadedMap::close);
  }
}
