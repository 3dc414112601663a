package dev.ply;

/** Whether scripts may call functions that change the system. */
public enum Safety {
  /** They may observe only. */
  SAFE,
  /** They may run commands, send signals and override results. */
  UNSAFE
}
