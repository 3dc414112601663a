package dev.ply.cli.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The name that Kubernetes has for a container: the kubelet mounts a file of a directory with that
 * name into it, {@code /var/lib/kubelet/pods/UID/containers/NAME/FILE}.
 */
final class KubernetesName {
  private static final String PLACE = " /dev/termination-log ";

  private static final Pattern MOUNT =
      Pattern.compile("\\S+ \\S+ \\S+ \\S*/pods/[^/ ]+/containers/([^/ ]+)/[^/ ]+" + PLACE + ".*");

  /** The maximum number of mounts that are read: a container can make any number. */
  private static final int MOST = 4096;

  private KubernetesName() {}

  /** Returns the name of the container of a cgroup, by one of its processes. */
  static Optional<String> of(Path group) {
    try (Stream<Path> groups = Files.walk(group);
        Stream<String> processes = groups.flatMap(KubernetesName::processes)) {
      return processes.findFirst().flatMap(KubernetesName::ofProcess);
    } catch (IOException | UncheckedIOException e) {
      // The container has ended.
      return Optional.empty();
    }
  }

  private static Stream<String> processes(Path group) {
    Path file = group.resolve("cgroup.procs");
    try {
      return Files.isRegularFile(file) ? Files.readAllLines(file).stream() : Stream.empty();
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  private static Optional<String> ofProcess(String process) {
    try (Stream<String> mounts = Files.lines(Path.of("/proc", process, "mountinfo"))) {
      return mounts
          .limit(MOST)
          // A container chooses the others: a pattern would take long for some of them.
          .filter(mount -> mount.contains(PLACE))
          .map(MOUNT::matcher)
          .filter(Matcher::matches)
          .map(mount -> mount.group(1))
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }
}
