package dev.ply.target;

import java.util.List;
import java.util.Optional;

/** The cgroups of a machine. */
public interface Cgroups {
  /** No cgroups, for targets without access to them. */
  Cgroups NONE =
      new Cgroups() {
        @Override
        public Optional<Cgroup> at(String directory) {
          return Optional.empty();
        }

        @Override
        public Optional<String> path(long id) {
          return Optional.empty();
        }
      };

  /**
   * A cgroup.
   *
   * @param id as programs see it
   * @param isUnified whether it is in the cgroup v2 hierarchy, whose IDs programs see
   * @param level the number of its visible ancestors, 0 for the root
   * @param hidden the maximum number of ancestors that the tracer's cgroup namespace hides; 0 where
   *     it hides none
   */
  record Cgroup(long id, boolean isUnified, int level, int hidden) {}

  /**
   * {@return the cgroup of a directory of cgroupfs, an absolute path}
   *
   * @param directory below the mount point
   */
  Optional<Cgroup> at(String directory);

  /**
   * {@return the path of a cgroup below the root of cgroup v2, as in {@code /proc/PID/cgroup}}
   *
   * @param id the inode number of its directory, as {@code bpf_get_current_cgroup_id} returns it
   */
  Optional<String> path(long id);

  /**
   * {@return existing directories similar to one that does not exist}
   *
   * @param directory an absolute path
   */
  default List<String> near(String directory) {
    return List.of();
  }
}
