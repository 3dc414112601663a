package dev.ply.examples.embed;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A JVM that is traced: reads a file some times, in methods that the JIT compiles, and ends. */
final class SoakedJvm {
  /** A size that nobody else reads at once. */
  static final int SIZE = 4_099;

  private SoakedJvm() {}

  /** Reads the file {@code args[0]} {@code args[1]} times. */
  public static void main(String... args) throws Exception {
    int times = Integer.parseInt(args[1]);
    try (FileChannel file = FileChannel.open(Path.of(args[0]))) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
      long sum = 0;
      for (int i = 0; i < times; i++) {
        file.read(buffer.clear(), 0);
        sum += hash(buffer.flip());
      }
      System.out.println(sum == 0 ? "read" : "read something else");
    }
  }

  private static long hash(ByteBuffer bytes) {
    long hash = 0;
    while (bytes.hasRemaining()) {
      hash = hash * 31 + bytes.get();
    }
    return hash;
  }
}
