package dev.ply.kernel.sys;

import com.sun.jna.NativeLibrary;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The C library, called through JNA. JNA unpacks a library of its own at the first call; if it
 * cannot do so where it usually does, a private directory elsewhere is used for that moment.
 */
final class NativeCalls {
  private static final String DIRECTORY = "jna.tmpdir";

  /** With one of these, the user has decided where the library comes from. */
  private static final List<String> DECIDED =
      List.of(DIRECTORY, "jna.boot.library.path", "jna.noclasspath", "jna.nosys", "jna.nounpack");

  private static final String REMEDY =
      "set XDG_CACHE_HOME, or -Djna.tmpdir=DIRECTORY of java, to a directory that this user can"
          + " write and that is not mounted noexec, or -Djna.boot.library.path=DIRECTORY to one"
          + " that has libjnidispatch.so of jna.jar";

  private static volatile Optional<NativeLibrary> loaded = Optional.empty();
  private static Optional<String> failure = Optional.empty();

  private NativeCalls() {}

  /**
   * Returns the C library that is already loaded, whatever its file name.
   *
   * @throws UnreadableTargetException if native calls are impossible, with the reason and what to
   *     do; each time
   */
  static NativeLibrary library() {
    Optional<NativeLibrary> library = loaded;
    return library.isPresent() ? library.get() : load();
  }

  private static synchronized NativeLibrary load() {
    if (loaded.isEmpty() && failure.isEmpty()) {
      loadFirst();
    }
    return loaded.orElseThrow(() -> new UnreadableTargetException(failure.orElseThrow()));
  }

  private static void loadFirst() {
    Optional<Path> own = Optional.empty();
    if (DECIDED.stream().allMatch(name -> System.getProperty(name) == null) && isPacked()) {
      NativeDirectory directory = NativeDirectory.ofThisProcess();
      if (!directory.isPreferredUsable()) {
        own = directory.create();
        if (own.isEmpty()) {
          failure = Optional.of(message(String.join(", ", directory.reasons())));
          return;
        }
      }
    }
    try {
      own.ifPresent(path -> System.setProperty(DIRECTORY, path.toString()));
      loaded = Optional.of(NativeLibrary.getProcess());
    } catch (RuntimeException | Error e) {
      failure = Optional.of(message(String.valueOf(e.getMessage())));
    } finally {
      own.ifPresent(NativeCalls::forget);
    }
  }

  /** Returns whether JNA is in a file that the library must be unpacked from. */
  private static boolean isPacked() {
    URL classes = NativeLibrary.class.getResource("NativeLibrary.class");
    return classes == null || !classes.getProtocol().equals("file");
  }

  /** The library stays loaded; JNA has removed its file. */
  private static void forget(Path directory) {
    System.clearProperty(DIRECTORY);
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // Left to whoever cleans the temporary directory.
      return;
    }
  }

  private static String message(String reason) {
    return "system calls are impossible, since JNA cannot unpack its native library: "
        + reason
        + "; "
        + REMEDY;
  }
}
