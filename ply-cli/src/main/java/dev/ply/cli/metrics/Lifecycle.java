package dev.ply.cli.metrics;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What else is served beside metrics: {@code /-/healthy}, {@code /-/ready} and {@code /-/reload}.
 *
 * @param isReady whether all has begun
 * @param reload reads the configuration again and returns what is wrong with it; empty if that is
 *     not done by requests
 */
public record Lifecycle(BooleanSupplier isReady, Optional<Supplier<Optional<String>>> reload) {
  /** That of a command, which is served when all has begun. */
  static final Lifecycle OF_COMMAND = new Lifecycle(() -> true, Optional.empty());
}
