package dev.ply.examples;

import static dev.ply.Values.comm;
import static dev.ply.Values.retval;
import static dev.ply.Values.text;
import static dev.ply.value.StringValues.strcmp;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.table.Histogram;

/** Sizes of dd's reads. The same as {@code scripts/read-sizes.ply}. */
public final class ReadSizes {
  /** The result of dd's vfs_read, negative on failure, under the key "rdsz". */
  public static final AggregateProbe<Histogram> SIZES =
      Probe.kretprobe("vfs_read")
          .where(strcmp(comm(), "dd").not())
          .by(text("rdsz"))
          .quantize(retval());

  private ReadSizes() {}

  /** Traces a command, such as {@code dd if=/dev/zero of=/dev/null bs=10240 count=100}. */
  public static void main(String... command) {
    Run.trace(command, SIZES);
  }
}
