package dev.ply.bpf.generate;

import dev.ply.target.KernelTypes;
import dev.ply.type.Type.KernelStruct;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The types of the machine that scripts are about: enumerators, and nothing else. */
final class StageTypes implements KernelTypes {
  /** Named as kernels name theirs, of every width and sign. */
  private static final Map<String, Long> ENUMERATORS =
      Map.of(
          "BPF_ANY", 0L,
          "TCP_CLOSE", 7L,
          "PERF_EVENT_STATE_OFF", -1L,
          "MAX_UINT", 0xffff_ffffL,
          "BPF_F_CTXLEN_MASK", 0xf_ffff_0000_0000L);

  /** Returns their names, in the order of the alphabet. */
  static List<String> names() {
    return ENUMERATORS.keySet().stream().sorted().toList();
  }

  @Override
  public boolean isKnown() {
    return true;
  }

  @Override
  public OptionalLong enumerator(String name) {
    return Optional.ofNullable(ENUMERATORS.get(name))
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  @Override
  public Optional<Function> function(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<Member> member(KernelStruct struct, String name) {
    return Optional.empty();
  }

  @Override
  public Stream<String> memberNames(KernelStruct struct) {
    return Stream.empty();
  }

  @Override
  public Optional<KernelStruct> struct(String tag) {
    return Optional.empty();
  }

  @Override
  public Optional<Function> rawTracepointProbe(String event) {
    return Optional.empty();
  }
}
