package dev.ply.bpf.session;

import dev.ply.selector.UserSelector;
import java.util.HashMap;
import java.util.Map;

/** The definitions of probe sites as {@code probe} shows them. */
final class ProbeNames {
  private ProbeNames() {}

  /** Returns the definitions with the names of functions of C++ and Rust in place of symbols. */
  static Map<Integer, String> shown(Map<Integer, String> definitions) {
    Map<Integer, String> shown = new HashMap<>(definitions);
    shown.replaceAll((number, definition) -> shown(definition));
    return Map.copyOf(shown);
  }

  private static String shown(String definition) {
    int place = definition.indexOf(':') + 1;
    boolean isUser = definition.startsWith("uprobe:") || definition.startsWith("uretprobe:");
    return isUser
        ? definition.substring(0, place) + UserSelector.shown(definition.substring(place))
        : definition;
  }
}
