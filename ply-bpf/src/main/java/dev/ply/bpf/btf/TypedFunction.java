package dev.ply.bpf.btf;

import dev.ply.target.KernelTypes;
import java.util.List;

/**
 * A function with what the kernel's verifier takes the words for that programs on it are handed.
 *
 * @param words the arguments, structures as many words as they fill, and then the result
 */
public record TypedFunction(KernelTypes.Function signature, List<TypedLoad> words) {
  public TypedFunction {
    words = List.copyOf(words);
  }

  /** Returns the same without its first parameter, of one word. */
  TypedFunction withoutFirst() {
    return new TypedFunction(signature.withoutFirst(), words.subList(1, words.size()));
  }
}
