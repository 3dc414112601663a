package dev.ply.bpf.btf;

import dev.ply.target.KernelTypes;
import java.util.List;

/**
 * A function with the verifier's types of its context.
 *
 * @param words the arguments, several words for a structure passed by value, and the result
 */
public record TypedFunction(KernelTypes.Function signature, List<TypedLoad> words) {
  public TypedFunction {
    words = List.copyOf(words);
  }

  /** Returns this function without its first parameter, an 8-byte word. */
  TypedFunction withoutFirst() {
    return new TypedFunction(signature.withoutFirst(), words.subList(1, words.size()));
  }
}
