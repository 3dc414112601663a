package dev.ply.analysis.struct;

import dev.ply.machine.Architecture;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The numbers of C that are wider than 64 bits. Programs do not compute with them: members of such
 * a type are their bits, two words.
 */
final class WideNumbers {
  /** The type of their values in programs. */
  static final Type BITS = new ArrayType(IntType.U64, 2);

  private static final Set<String> WORDS =
      Set.of("__int128", "__int128_t", "__uint128_t", "__float128", "_Float128", "__ieee128");

  private WideNumbers() {}

  /** Returns whether a type is one of them: {@code unsigned __int128}, {@code long double}. */
  static boolean isName(String name) {
    List<String> words = Arrays.asList(name.split(" "));
    return words.stream().anyMatch(WORDS::contains)
        || (words.size() == 2 && words.contains("long") && words.contains("double"));
  }

  /** Returns what a type is aligned to, in bytes. */
  static int alignment(String name, Architecture architecture) {
    boolean isWordwise = architecture.wordSize() < Long.BYTES || architecture == Architecture.S390X;
    return isWordwise ? Long.BYTES : 2 * Long.BYTES;
  }
}
