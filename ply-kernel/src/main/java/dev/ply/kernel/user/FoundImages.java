package dev.ply.kernel.user;

import dev.ply.kernel.user.BinaryFinder.Binary;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is in a file, or in the files that a process has mapped.
 *
 * @param all that could be read, at least one
 * @param isOfMany whether a process has several files: what one of them lacks others may have
 * @param unreadable why the other files could not be read
 */
record FoundImages(List<One> all, boolean isOfMany, List<String> unreadable) {
  FoundImages {
    all = List.copyOf(all);
    unreadable = List.copyOf(unreadable);
  }

  /** A file, and what is in it. */
  record One(Binary file, BinaryImage image) {}

  /**
   * Reads files. Anybody can map one that is damaged: it is left out if there are others.
   *
   * @throws ProbeSiteNotFoundException if none is a program or library
   * @throws UnreadableTargetException if none can be read
   */
  static FoundImages of(List<Binary> files, BinaryImages images) {
    List<One> found = new ArrayList<>();
    List<RuntimeException> failures = new ArrayList<>();
    for (Binary file : files) {
      try {
        found.add(new One(file, images.of(file)));
      } catch (ProbeSiteNotFoundException | UnreadableTargetException e) {
        failures.add(e);
      }
    }
    if (found.isEmpty()) {
      throw failures.get(0);
    }
    return new FoundImages(
        found,
        files.size() > 1,
        failures.stream().map(failure -> String.valueOf(failure.getMessage())).toList());
  }
}
