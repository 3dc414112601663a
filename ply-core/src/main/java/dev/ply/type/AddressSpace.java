package dev.ply.type;

/** Where an address is valid. */
public enum AddressSpace {
  /** Kernel memory. */
  KERNEL,
  /** The traced process's memory. */
  USER,
  /** The probe's context, which the program may load from directly. */
  CONTEXT
}
