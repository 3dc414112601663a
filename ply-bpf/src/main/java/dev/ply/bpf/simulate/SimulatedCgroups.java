package dev.ply.bpf.simulate;

import dev.ply.target.Cgroups;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two cgroups below the root, as systemd creates them. */
final class SimulatedCgroups implements Cgroups {
  private static final String MOUNT = "/sys/fs/cgroup";

  private static final Map<String, Long> IDS =
      Map.of("/", 1L, "/system.slice", 2000L, "/user.slice", 2001L);

  @Override
  public Optional<Cgroup> at(String directory) {
    return directory.startsWith(MOUNT)
        ? Optional.ofNullable(IDS.get("/" + directory.substring(MOUNT.length()).replace("/", "")))
            .map(id -> new Cgroup(id, true, id == 1 ? 0 : 1, 0))
        : Optional.empty();
  }

  @Override
  public Optional<String> path(long id) {
    return IDS.entrySet().stream()
        .filter(cgroup -> cgroup.getValue() == id)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  @Override
  public List<String> near(String directory) {
    return IDS.keySet().stream().sorted().map(path -> MOUNT + path).toList();
  }
}
