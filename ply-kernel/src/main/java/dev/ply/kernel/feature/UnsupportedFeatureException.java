package dev.ply.kernel.feature;

/** Thrown for a feature that this kernel lacks; the message says why. */
public final class UnsupportedFeatureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Feature feature;

  UnsupportedFeatureException(Feature feature, String reason) {
    super(reason);
    this.feature = feature;
  }

  /** Returns the missing feature. */
  public Feature feature() {
    return feature;
  }
}
