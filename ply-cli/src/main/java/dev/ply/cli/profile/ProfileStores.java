package dev.ply.cli.profile;

import dev.ply.cli.io.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The stores that profiles are sent to, by their URLs as they were given.
 *
 * @param pyroscope that of Pyroscope
 * @param parca that of Parca
 * @param otlp that of a collector that takes OpenTelemetry's profiles
 */
public record ProfileStores(
    Optional<String> pyroscope, Optional<String> parca, Optional<String> otlp) {
  /** No store. */
  public static final ProfileStores NONE =
      new ProfileStores(Optional.empty(), Optional.empty(), Optional.empty());

  /** {@return whether there is one} */
  public boolean isUsed() {
    return !equals(NONE);
  }

  /**
   * Returns what makes them.
   *
   * @throws UsageException if a URL, or what the environment says beside it, cannot be used
   */
  List<ProfileStore.Maker> makers(Map<String, String> environment) throws UsageException {
    List<ProfileStore.Maker> makers = new ArrayList<>();
    if (pyroscope.isPresent()) {
      makers.add(PyroscopeStore.at(pyroscope.get(), environment));
    }
    if (parca.isPresent()) {
      makers.add(ParcaStore.at(parca.get(), environment));
    }
    if (otlp.isPresent()) {
      makers.add(OtlpStore.at(otlp.get(), environment));
    }
    return makers;
  }
}
