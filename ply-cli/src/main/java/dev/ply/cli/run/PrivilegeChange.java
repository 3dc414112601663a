package dev.ply.cli.run;

import java.util.List;

/**
 * What becomes of a trace's privileges once all is attached.
 *
 * @param user that it continues as
 * @param kept the capabilities that the thread which reads symbols of processes keeps
 */
public record PrivilegeChange(String user, List<String> kept) {
  /** Copies the list. */
  public PrivilegeChange {
    kept = List.copyOf(kept);
  }
}
