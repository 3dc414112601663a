package dev.ply.table;

/** What a frame of a call tree is. */
public enum FrameKind {
  /** The root of a tree, which has everything. */
  ALL,
  /** Another part of the key than a stack: the name of a process, say. */
  KEY,
  /** A function of the kernel or of one of its modules. */
  KERNEL,
  /** A function of a program or a library, or an address of a process without a symbol. */
  NATIVE,
  /** A function that a JIT compiler generated. */
  COMPILED,
  /** A Java method that HotSpot's fast compiler generated. */
  C1,
  /** A Java method that HotSpot's optimising compiler generated. */
  C2,
  /** A Java method that a compiler inlined into the next frame's. */
  INLINED,
  /** A Java method of a stack of functions, by whomever its code was made. */
  JAVA,
  /** Code that a Java runtime generated for itself. */
  STUB,
  /** The interpreter of a virtual machine, or a function that it interprets. */
  INTERPRETED,
  /** A stack that the kernel could not store. */
  LOST
}
