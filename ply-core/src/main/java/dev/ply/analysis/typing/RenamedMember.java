package dev.ply.analysis.typing;

import dev.ply.analysis.site.KernelRenames;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Finds the members that C macros abbreviate, which BTF does not have: {@code sk_state} of {@code
 * struct sock} is {@code __sk_common.skc_state}, in a structure inside; and those that kernels have
 * renamed.
 */
record RenamedMember(KernelTypes types) {
  /** Structures inside structures: {@code struct tcp_sock} has a {@code sock} on its third. */
  private static final int DEEPEST = 5;

  /** More are not searched for a hint. */
  private static final int MOST_STRUCTURES = 200;

  private record Place(KernelStruct struct, String prefix, int depth) {}

  /** Returns the path to the outermost member inside that is called so, or nearly so. */
  Optional<String> path(KernelStruct struct, String name) {
    return renamed(struct, name).or(() -> inside(struct, name));
  }

  /** Returns the path that a member of earlier kernels has, if this one has it. */
  private Optional<String> renamed(KernelStruct struct, String name) {
    String tag = struct.name().substring(struct.name().lastIndexOf(' ') + 1);
    return KernelRenames.MEMBERS.get(tag + "." + name).stream()
        .filter(path -> exists(struct, path))
        .findFirst();
  }

  private boolean exists(KernelStruct struct, String path) {
    Type type = struct;
    for (String member : path.split("\\.", -1)) {
      Type of = type instanceof PointerType pointer ? pointer.target() : type;
      Optional<KernelTypes.Member> found =
          of instanceof KernelStruct inner ? types.member(inner, member) : Optional.empty();
      if (found.isEmpty()) {
        return false;
      }
      type = found.get().type();
    }
    return true;
  }

  private Optional<String> inside(KernelStruct struct, String name) {
    Deque<Place> open = new ArrayDeque<>();
    open.add(new Place(struct, "", 0));
    for (int visited = 0; visited < MOST_STRUCTURES && !open.isEmpty(); visited++) {
      Place place = open.remove();
      List<String> members = types.memberNames(place.struct()).toList();
      if (place.depth() > 0) {
        Optional<String> found =
            members.stream().filter(member -> isMeant(name, member)).findFirst();
        if (found.isPresent()) {
          return found.map(member -> place.prefix() + member);
        }
      }
      if (place.depth() < DEEPEST) {
        for (String member : members) {
          types
              .member(place.struct(), member)
              .filter(inner -> inner.type() instanceof KernelStruct)
              .map(inner -> (KernelStruct) inner.type())
              .ifPresent(
                  inner ->
                      open.add(new Place(inner, place.prefix() + member + ".", place.depth() + 1)));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns whether a name is the member's, or has a part of its prefix: sk_num, skc_num. */
  private static boolean isMeant(String name, String member) {
    if (member.equals(name)) {
      return name.indexOf('_') > 0;
    }
    int end = name.indexOf('_');
    int memberEnd = member.indexOf('_');
    return end > 1
        && memberEnd > end
        && member.startsWith(name.substring(0, end))
        && member.substring(memberEnd).equals(name.substring(end));
  }
}
