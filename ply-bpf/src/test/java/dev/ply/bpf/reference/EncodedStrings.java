package dev.ply.bpf.reference;

import dev.ply.machine.SystemCallNames;
import dev.ply.name.Errno;
import dev.ply.name.Signal;
import dev.ply.table.Datum;
import dev.ply.target.ContainerPath;
import dev.ply.target.Target;
import dev.ply.text.InternetAddresses;
import dev.ply.text.Strftime;
import dev.ply.type.Encoding;
import java.nio.ByteBuffer;
import java.util.List;

/** What strings that user space decodes say, by the values that they were made of. */
final class EncodedStrings {
  private final Target target;

  EncodedStrings(Target target) {
    this.target = target;
  }

  /** Returns the address that a number is in the memory of the target. */
  private String address(long family, long number) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Encoding.InternetAddress.ADDRESS_BYTES)
            .order(target.architecture().byteOrder());
    return InternetAddresses.text((int) family, bytes.putInt((int) number).array());
  }

  /** Returns the string made of the values, all zero where there are none. */
  Datum of(Encoding encoding, List<Long> values) {
    if (encoding instanceof Encoding.Time time) {
      long nanos = values.isEmpty() ? 0 : values.get(0);
      return new Datum.Decoded(
          Strftime.format(
              time.pattern(),
              time.clock() == Encoding.Clock.BOOT
                  ? target.wallClock().atBootTime(nanos)
                  : target.wallClock().at(nanos)));
    }
    if (encoding instanceof Encoding.ErrorMessage) {
      return new Datum.Decoded(Errno.strerror(values.isEmpty() ? 0 : values.get(0)));
    }
    if (encoding instanceof Encoding.SignalName) {
      return new Datum.Decoded(Signal.nameOf(values.isEmpty() ? 0 : values.get(0)));
    }
    if (encoding instanceof Encoding.SystemCallName) {
      long number = values.isEmpty() ? 0 : values.get(0);
      return new Datum.Decoded(
          SystemCallNames.name(target.architecture(), number).orElse(Long.toString(number)));
    }
    if (encoding instanceof Encoding.ThreadName) {
      return new Datum.Decoded(Long.toString(values.isEmpty() ? 0 : values.get(0)));
    }
    if (encoding instanceof Encoding.Container || encoding instanceof Encoding.Pod) {
      // None of the simulated cgroups is a container's.
      long cgroup = values.isEmpty() ? 0 : values.get(0);
      boolean isKnown = target.cgroups().path(cgroup).isPresent();
      return new Datum.Decoded(isKnown ? ContainerPath.NONE : Long.toString(cgroup));
    }
    if (encoding instanceof Encoding.UserName) {
      return new Datum.Decoded(
          Long.toString(values.isEmpty() ? 0 : Integer.toUnsignedLong(values.get(0).intValue())));
    }
    if (encoding instanceof Encoding.InternetAddress) {
      return new Datum.Decoded(values.isEmpty() ? "" : address(values.get(0), values.get(1)));
    }
    if (encoding instanceof Encoding.Words && values.isEmpty()) {
      return new Datum.Decoded("");
    }
    if (encoding instanceof Encoding.Buffer && values.isEmpty()) {
      return new Datum.Bytes("");
    }
    throw new IllegalArgumentException("no values make a " + encoding.noun());
  }
}
