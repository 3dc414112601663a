package dev.ply.lang.token;

import java.util.List;
import java.util.Set;

/** The type names of casts and {@code sizeof}. */
public final class TypeNames {
  private static final Set<String> TAGGED = Set.of("struct", "union", "enum");

  private static final Set<String> NUMBERS =
      Set.of(
          """
          int8 int16 int32 int64 uint8 uint16 uint32 uint64 int8_t int16_t int32_t int64_t \
          uint8_t uint16_t uint32_t uint64_t s8 s16 s32 s64 u8 u16 u32 u64 bool size_t ssize_t \
          uintptr_t intptr_t void string __s8 __s16 __s32 __s64 __u8 __u16 __u32 __u64 __le16 \
          __le32 __le64 __be16 __be32 __be64 _Bool float double\
          """
              .split(" "));

  private static final Set<String> WORDS =
      Set.of("char", "short", "int", "long", "signed", "unsigned");

  private TypeNames() {}

  /** Returns whether tokens are a type name: {@code struct sock}, {@code unsigned long}. */
  public static boolean isType(List<String> words) {
    if (words.isEmpty()) {
      return false;
    }
    if (TAGGED.contains(words.get(0))) {
      return words.size() == 2;
    }
    return (words.size() == 1 && NUMBERS.contains(words.get(0))) || WORDS.containsAll(words);
  }
}
