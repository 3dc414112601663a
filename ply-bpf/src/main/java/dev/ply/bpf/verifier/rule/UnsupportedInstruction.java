package dev.ply.bpf.verifier.rule;

import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import java.util.Optional;

/** Instructions that the verifier rejects in any state. */
public final class UnsupportedInstruction {
  private UnsupportedInstruction() {}

  /** Returns why an instruction is invalid or unsupported in tracing programs, or empty. */
  public static Optional<String> reason(Instruction instruction) {
    if (instruction instanceof Instruction.SignExtend extend) {
      int widest = extend.width() == Width.W64 ? Size.W.bytes() : Size.H.bytes();
      return extend.from().bytes() > widest
          ? Optional.of("a sign extension must start from fewer bits than it fills")
          : Optional.empty();
    } else if (instruction instanceof Instruction.Load load) {
      return load.extension() == Extension.SIGN && load.size() == Size.DW
          ? Optional.of("a load of 8 bytes cannot sign-extend")
          : Optional.empty();
    } else if (instruction instanceof Instruction.LoadWide load) {
      return load.source().accept(new OfSource());
    } else if (instruction instanceof Instruction.LoadPacket) {
      return Optional.of("tracing programs have no packet to load from");
    } else if (instruction instanceof Instruction.CallHelper call && call.helper().isEmpty()) {
      return Optional.of("helper " + call.number() + " is unknown");
    } else if (instruction instanceof Instruction.CallKernel call) {
      return Optional.of("calls of kernel functions are not supported; BTF ID " + call.btfId());
    }
    return Optional.empty();
  }

  /** Why the source of a 64-bit load is rejected. */
  private static final class OfSource implements WideSource.Visitor<Optional<String>> {
    @Override
    public Optional<String> visit(WideSource.Constant source) {
      return Optional.empty();
    }

    @Override
    public Optional<String> visit(WideSource.Map source) {
      return Optional.empty();
    }

    @Override
    public Optional<String> visit(WideSource.MapValue source) {
      return Optional.empty();
    }

    @Override
    public Optional<String> visit(WideSource.Variable source) {
      return Optional.of("addresses of kernel variables are not supported");
    }

    @Override
    public Optional<String> visit(WideSource.Function source) {
      return Optional.empty();
    }

    @Override
    public Optional<String> visit(WideSource.IndexedMap source) {
      return byIndex();
    }

    @Override
    public Optional<String> visit(WideSource.IndexedMapValue source) {
      return byIndex();
    }

    private static Optional<String> byIndex() {
      return Optional.of("maps by index are not supported; name the map");
    }
  }
}
