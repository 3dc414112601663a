package dev.ply.target;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of a cgroup as container engines name it, from which the container and its pod are known
 * without asking an engine.
 *
 * @param path below the root of a hierarchy, as in {@code /proc/PID/cgroup}
 */
public record ContainerPath(String path) {
  /** What is printed outside containers and pods. */
  public static final String NONE = "-";

  private static final int SHORT = 12;

  /**
   * The ID of docker, podman, containerd and CRI-O, alone or as in {@code docker-ID.scope}; with a
   * slice before it if the engine is configured for systemd and the kubelet is not.
   */
  private static final Pattern ID =
      Pattern.compile("(?:[^:]*:)?(?:[a-z][a-z-]*[-:])?([0-9a-f]{64})(?:\\.scope|\\.service)?");

  /** conmon, which watches a container, is not in it. */
  private static final Pattern WATCHER = Pattern.compile("(?:[a-z]+-)?conmon-.*");

  private static final Pattern MACHINE =
      Pattern.compile("machine-(.+)\\.scope|systemd-nspawn@(.+)\\.service|lxc\\.payload\\.(.+)");

  private static final Pattern KUBERNETES =
      Pattern.compile(
          "(?:.*-)?pod([0-9a-f]{32}|[0-9a-f]{8}([-_])[0-9a-f]{4}\\2[0-9a-f]{4}\\2[0-9a-f]{4}\\2"
              + "[0-9a-f]{12})(?:\\.slice(?::.*)?)?");

  private static final Pattern PODMAN =
      Pattern.compile("(?:.*-)?libpod_pod_([0-9a-f]{64})(?:\\.slice)?");

  /** A character that systemd escapes in the names of units. */
  private static final Pattern ESCAPED = Pattern.compile("\\\\x([0-9a-f]{2})");

  /** {@return 12 digits of the innermost container's ID, or its name} */
  public Optional<String> container() {
    return identity().map(one -> ID.matcher(one).matches() ? one.substring(0, SHORT) : one);
  }

  /** {@return the whole ID of the innermost container, or its name} */
  public Optional<String> identity() {
    String[] parts = parts();
    for (int i = parts.length - 1; i >= 0; i--) {
      Optional<String> found = identity(i > 0 ? parts[i - 1] : "", parts[i]);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** {@return whether the cgroup itself is a container's, not one that the container made} */
  public boolean isContainer() {
    String[] parts = parts();
    int last = parts.length - 1;
    return identity(last > 0 ? parts[last - 1] : "", parts[last]).isPresent();
  }

  /** {@return the UID of the innermost pod of Kubernetes, or 12 digits of a pod's ID of podman} */
  public Optional<String> pod() {
    String[] parts = parts();
    for (int i = parts.length - 1; i >= 0; i--) {
      Matcher kubernetes = KUBERNETES.matcher(parts[i]);
      if (kubernetes.matches()) {
        return Optional.of(kubernetes.group(1).replace('_', '-'));
      }
      Matcher podman = PODMAN.matcher(parts[i]);
      if (podman.matches()) {
        return Optional.of(podman.group(1).substring(0, SHORT));
      }
    }
    return Optional.empty();
  }

  private String[] parts() {
    return path.split("/", -1);
  }

  private static Optional<String> identity(String parent, String name) {
    Matcher id = ID.matcher(name);
    if (id.matches()) {
      return WATCHER.matcher(name).matches() ? Optional.empty() : Optional.of(id.group(1));
    }
    Matcher machine = MACHINE.matcher(name);
    if (machine.matches()) {
      for (int group = 1; group <= machine.groupCount(); group++) {
        if (machine.group(group) != null) {
          return Optional.of(unescaped(machine.group(group)));
        }
      }
    }
    boolean isOfLxc = parent.equals("lxc") || parent.equals("lxc.payload");
    return isOfLxc && !name.isEmpty() ? Optional.of(name) : Optional.empty();
  }

  private static String unescaped(String unit) {
    return ESCAPED
        .matcher(unit)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(match.group(1), 16))));
  }
}
