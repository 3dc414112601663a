package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.ply.builtin.Builtin;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All built-in values and functions, in the order of the language reference. */
public final class Builtins {
  /** New groups of built-ins are added here. */
  private static final ImmutableList<Builtin> ALL =
      ImmutableList.<Builtin>builder()
          .addAll(ThreadBuiltins.ALL)
          .addAll(ParentBuiltins.ALL)
          .addAll(CgroupBuiltins.ALL)
          .addAll(NamespaceBuiltins.ALL)
          .addAll(MachineBuiltins.ALL)
          .addAll(ClockBuiltins.ALL)
          .addAll(ContextBuiltins.ALL)
          .addAll(CallBuiltins.ALL)
          .addAll(StackBuiltins.ALL)
          .addAll(MemoryBuiltins.ALL)
          .addAll(ObjectBuiltins.ALL)
          .addAll(SymbolBuiltins.ALL)
          .addAll(StringBuiltins.ALL)
          .addAll(MapBuiltins.ALL)
          .addAll(TypeBuiltins.ALL)
          .addAll(NetworkBuiltins.ALL)
          .addAll(ErrorBuiltins.ALL)
          .addAll(EventBuiltins.ALL)
          .addAll(SystemBuiltins.ALL)
          .build();

  private static final ImmutableMap<String, Builtin> BY_NAME = byName();

  private Builtins() {}

  /** Returns all built-ins. */
  public static List<Builtin> all() {
    return ALL;
  }

  /** Returns the built-in of this name or alias. */
  public static Optional<Builtin> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** Returns all names, including aliases. */
  public static Set<String> names() {
    return BY_NAME.keySet();
  }

  private static ImmutableMap<String, Builtin> byName() {
    ImmutableMap.Builder<String, Builtin> map = ImmutableMap.builder();
    for (Builtin builtin : ALL) {
      for (String name : builtin.names()) {
        map.put(name, builtin);
      }
    }
    return map.buildOrThrow();
  }
}
