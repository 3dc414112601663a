package dev.ply.kernel.sys;

import dev.ply.machine.UserApi;

/** The ioctls of perf events in use (_IO and _IOW in include/uapi/linux/perf_event.h). */
public enum PerfRequest {
  /** Starts counting. */
  ENABLE(0x2400, 0x20002400),
  /** Stops counting. */
  DISABLE(0x2401, 0x20002401),
  /** Attaches a program, whose descriptor is the argument. */
  SET_BPF(0x40042408, 0x80042408);

  private final int number;
  private final int otherDirectionBits;

  PerfRequest(int number, int otherDirectionBits) {
    this.number = number;
    this.otherDirectionBits = otherDirectionBits;
  }

  long number(UserApi api) {
    return Integer.toUnsignedLong(api.hasShortDirections() ? otherDirectionBits : number);
  }
}
