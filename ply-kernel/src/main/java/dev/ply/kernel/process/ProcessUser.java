package dev.ply.kernel.process;

import dev.ply.kernel.sys.UserCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A user that this process can become, and so lose the capabilities of root.
 *
 * @param id its number, not 0
 * @param group that the user belongs to first
 */
public record ProcessUser(int id, int group) {
  private static final Path USERS = Path.of("/etc/passwd");
  private static final Path THREADS = Path.of("/proc/self/task");
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9}):(\\d{1,9})");
  private static final Pattern EFFECTIVE_USER = Pattern.compile("(?m)^Uid:\\s+\\d+\\s+(\\d+)");
  private static final Pattern CAPABILITIES =
      Pattern.compile("(?m)^Cap(?:Prm|Eff|Amb):\\s+([0-9a-f]+)");

  /**
   * {@return a user other than root}
   *
   * @param name as in {@code /etc/passwd}, or {@code UID:GID}
   */
  public static Optional<ProcessUser> named(String name) {
    Matcher numbers = NUMBERS.matcher(name);
    Optional<ProcessUser> user =
        numbers.matches()
            ? Optional.of(
                new ProcessUser(
                    Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))))
            : listed(name);
    return user.filter(one -> one.id != 0);
  }

  private static Optional<ProcessUser> listed(String name) {
    try (Stream<String> lines = Files.lines(USERS, StandardCharsets.ISO_8859_1)) {
      return lines
          .map(line -> line.split(":", -1))
          .filter(fields -> fields.length > 3 && fields[0].equals(name))
          .filter(fields -> NUMBERS.matcher(fields[2] + ":" + fields[3]).matches())
          .map(fields -> new ProcessUser(Integer.parseInt(fields[2]), Integer.parseInt(fields[3])))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** {@return whether this process is one of root, which alone can become another user} */
  public static boolean isRoot() {
    try {
      Matcher user = EFFECTIVE_USER.matcher(Files.readString(Path.of("/proc/self/status")));
      return user.find() && user.group(1).equals("0");
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Makes all threads of this process those of the user, without capabilities. There is no way
   * back.
   *
   * @param kept what threads that read symbols keep
   * @throws dev.ply.kernel.error.KernelException if it is not permitted
   * @throws IllegalStateException if a thread that keeps capabilities does not answer
   */
  public void become(KeptCapabilities kept) {
    kept.prepare();
    UserCalls.become(id, group);
    kept.settle();
  }

  /**
   * {@return the threads of this process that have other capabilities than are kept}
   *
   * @param kept what threads that read symbols keep
   */
  public static List<String> privilegedThreads(KeptCapabilities kept) {
    List<String> privileged = new ArrayList<>();
    try (Stream<Path> threads = Files.list(THREADS)) {
      for (Path thread : threads.toList()) {
        String id = thread.getFileName().toString();
        if (hasOtherThan(kept.allowed(id), thread.resolve("status"))) {
          privileged.add(id);
        }
      }
    } catch (IOException e) {
      privileged.add(THREADS + " cannot be read");
    }
    return privileged;
  }

  private static boolean hasOtherThan(long allowed, Path status) {
    try {
      return CAPABILITIES
          .matcher(Files.readString(status))
          .results()
          .anyMatch(mask -> (Long.parseUnsignedLong(mask.group(1), 16) & ~allowed) != 0);
    } catch (IOException e) {
      // The thread has ended.
      return false;
    }
  }
}
