package dev.ply.kernel.feature;

/** Something that was asked for and that this kernel does not offer; the message says why. */
public final class UnsupportedFeatureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Feature feature;

  UnsupportedFeatureException(Feature feature, String reason) {
    super(reason);
    this.feature = feature;
  }

  /** Returns what is missing. */
  public Feature feature() {
    return feature;
  }
}
