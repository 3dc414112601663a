package dev.ply.cli.profile;

import dev.ply.cli.io.UsageException;
import dev.ply.export.StackProfile;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A store of profiles, and how it takes them. */
interface ProfileStore {
  /** Makes the store of a run. */
  @FunctionalInterface
  interface Maker {
    /**
     * Returns the store.
     *
     * @param script the name of the script, if it has one
     */
    ProfileStore of(Optional<String> script);
  }

  /** Returns the URL that profiles are sent to. */
  URI endpoint();

  /** Returns how long a request may take. */
  Duration timeout();

  /** Returns the body of a request. */
  byte[] encode(StackProfile profile);

  /**
   * Returns the headers of a request, read for each: the file of a token may change.
   *
   * @throws UsageException if a file cannot be read
   */
  Map<String, String> headers() throws UsageException;
}
