package dev.ply.bpf.simulate;

import dev.ply.selector.KernelSelector;
import dev.ply.selector.UserSelector;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Checks what tests say about firings: each throws {@link IllegalArgumentException}. */
final class FiringCheck {
  /** TASK_COMM_LEN without the NUL. */
  private static final int LONGEST_COMM = 15;

  private static final Pattern FIELD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private FiringCheck() {}

  static <P extends UserSelector> P single(P place) {
    if (place instanceof UserSelector.Pattern) {
      throw new IllegalArgumentException(
          "\"" + place.text() + "\" selects many functions: fire one");
    }
    return place;
  }

  static <P extends KernelSelector> P single(P place) {
    if (place instanceof KernelSelector.Functions) {
      throw new IllegalArgumentException(
          "\"" + place.text() + "\" selects many functions: fire one");
    }
    return place;
  }

  static void requireMark(String binary, String provider, String name, int place) {
    if (place < 0 || provider.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException(
          "a USDT probe has a file, a provider and a name, and addresses counted from 0, not \""
              + binary
              + "\", \""
              + provider
              + "\", \""
              + name
              + "\", "
              + place);
    }
  }

  static void requireComm(String comm) {
    int bytes = comm.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LONGEST_COMM) {
      throw new IllegalArgumentException(
          "the kernel's names of threads have up to "
              + LONGEST_COMM
              + " bytes, \""
              + comm
              + "\" has "
              + bytes);
    }
  }

  static void requireFile(String binary) {
    if (binary.isEmpty()) {
      throw new IllegalArgumentException("a program or library has a name");
    }
  }

  static void requireIndex(int index) {
    if (index < 0) {
      throw new IllegalArgumentException("arguments are counted from 0, not " + index);
    }
  }

  static void requireId(int id) {
    if (id < 0) {
      throw new IllegalArgumentException("processes and threads have no negative IDs: " + id);
    }
  }

  static void requireField(String name) {
    if (!FIELD.matcher(name).matches()) {
      throw new IllegalArgumentException("\"" + name + "\" is not a field name");
    }
  }
}
