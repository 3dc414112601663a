package dev.ply.lang.c.directive;

import dev.ply.lang.c.expression.CLexer;
import dev.ply.lang.c.expression.CToken;
import dev.ply.machine.Architecture;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The macros that clang defines for a machine, as bpftrace's parser of headers does, the version of
 * the kernel, and what the kernel's own headers define for others, which are not read.
 */
public final class PredefinedMacros {
  private static final String COMMON =
      """
      __STDC__ 1
      __STDC_VERSION__ 201710L
      __STDC_HOSTED__ 1
      __STDC_UTF_16__ 1
      __STDC_UTF_32__ 1
      __GNUC__ 4
      __GNUC_MINOR__ 2
      __GNUC_PATCHLEVEL__ 1
      __GNUC_STDC_INLINE__ 1
      __GXX_ABI_VERSION 1002
      __VERSION__ "Clang 18.1.8"
      __llvm__ 1
      __clang__ 1
      __clang_major__ 18
      __clang_minor__ 1
      __clang_patchlevel__ 8
      __clang_version__ "18.1.8"
      __linux 1
      __linux__ 1
      __gnu_linux__ 1
      __unix 1
      __unix__ 1
      __ELF__ 1
      BPFTRACE_HAVE_BTF 1
      __ORDER_LITTLE_ENDIAN__ 1234
      __ORDER_BIG_ENDIAN__ 4321
      __ORDER_PDP_ENDIAN__ 3412
      __CHAR_BIT__ 8
      __BIGGEST_ALIGNMENT__ 16
      __SCHAR_MAX__ 127
      __SHRT_MAX__ 32767
      __INT_MAX__ 2147483647
      __LONG_LONG_MAX__ 9223372036854775807LL
      __BOOL_WIDTH__ 8
      __SHRT_WIDTH__ 16
      __INT_WIDTH__ 32
      __LLONG_WIDTH__ 64
      __INTMAX_WIDTH__ 64
      __WCHAR_WIDTH__ 32
      __WINT_WIDTH__ 32
      __SIZEOF_SHORT__ 2
      __SIZEOF_INT__ 4
      __SIZEOF_LONG_LONG__ 8
      __SIZEOF_FLOAT__ 4
      __SIZEOF_DOUBLE__ 8
      __SIZEOF_WCHAR_T__ 4
      __SIZEOF_WINT_T__ 4
      __WINT_TYPE__ unsigned int
      __WINT_MAX__ 4294967295U
      __WINT_UNSIGNED__ 1
      __CHAR16_TYPE__ unsigned short
      __CHAR32_TYPE__ unsigned int
      __INT8_TYPE__ signed char
      __INT16_TYPE__ short
      __INT32_TYPE__ int
      __UINT8_TYPE__ unsigned char
      __UINT16_TYPE__ unsigned short
      __UINT32_TYPE__ unsigned int
      __INT8_MAX__ 127
      __INT16_MAX__ 32767
      __INT32_MAX__ 2147483647
      __UINT8_MAX__ 255
      __UINT16_MAX__ 65535
      __UINT32_MAX__ 4294967295U
      KERNEL_VERSION(a,b,c) (((a) << 16) + ((b) << 8) + ((c) > 255 ? 255 : (c)))
      """;

  /** For the size of a word: {0} is its bits, {1} its bytes, {2} the suffix of 64-bit numbers. */
  private static final String WORDS =
      """
      __LONG_WIDTH__ {0}
      __POINTER_WIDTH__ {0}
      __SIZE_WIDTH__ {0}
      __PTRDIFF_WIDTH__ {0}
      __INTPTR_WIDTH__ {0}
      __UINTPTR_WIDTH__ {0}
      __SIZEOF_LONG__ {1}
      __SIZEOF_POINTER__ {1}
      __SIZEOF_SIZE_T__ {1}
      __SIZEOF_PTRDIFF_T__ {1}
      """;

  private static final String WIDE =
      """
      _LP64 1
      __LP64__ 1
      __SIZEOF_INT128__ 16
      __SIZEOF_LONG_DOUBLE__ 16
      __LONG_MAX__ 9223372036854775807L
      __INT64_TYPE__ long int
      __UINT64_TYPE__ long unsigned int
      __INTMAX_TYPE__ long int
      __UINTMAX_TYPE__ long unsigned int
      __SIZE_TYPE__ long unsigned int
      __PTRDIFF_TYPE__ long int
      __INTPTR_TYPE__ long int
      __UINTPTR_TYPE__ long unsigned int
      __INT64_MAX__ 9223372036854775807L
      __UINT64_MAX__ 18446744073709551615UL
      __INTMAX_MAX__ 9223372036854775807L
      __UINTMAX_MAX__ 18446744073709551615UL
      __SIZE_MAX__ 18446744073709551615UL
      __PTRDIFF_MAX__ 9223372036854775807L
      __INTPTR_MAX__ 9223372036854775807L
      __UINTPTR_MAX__ 18446744073709551615UL
      """;

  private static final String NARROW =
      """
      _ILP32 1
      __ILP32__ 1
      __SIZEOF_LONG_DOUBLE__ 8
      __LONG_MAX__ 2147483647L
      __INT64_TYPE__ long long int
      __UINT64_TYPE__ long long unsigned int
      __INTMAX_TYPE__ long long int
      __UINTMAX_TYPE__ long long unsigned int
      __SIZE_TYPE__ unsigned int
      __PTRDIFF_TYPE__ int
      __INTPTR_TYPE__ int
      __UINTPTR_TYPE__ unsigned int
      __INT64_MAX__ 9223372036854775807LL
      __UINT64_MAX__ 18446744073709551615ULL
      __INTMAX_MAX__ 9223372036854775807LL
      __UINTMAX_MAX__ 18446744073709551615ULL
      __SIZE_MAX__ 4294967295U
      __PTRDIFF_MAX__ 2147483647
      __INTPTR_MAX__ 2147483647
      __UINTPTR_MAX__ 4294967295U
      """;

  /**
   * Macros of the kernel's and C library's headers that other headers use without including them.
   */
  private static final String ASSUMED =
      """
      __packed __attribute__((__packed__))
      __attribute_packed__ __attribute__((__packed__))
      __aligned(x) __attribute__((__aligned__(x)))
      __attribute_aligned__(x) __attribute__((__aligned__(x)))
      __aligned_largest __attribute__((__aligned__))
      ____cacheline_aligned __attribute__((__aligned__(64)))
      ____cacheline_aligned_in_smp __attribute__((__aligned__(64)))
      __cacheline_aligned __attribute__((__aligned__(64)))
      __designated_init __attribute__((__designated_init__))
      __user
      __rcu
      __iomem
      __percpu
      __force
      __bitwise
      __bitwise__
      __must_check
      __maybe_unused
      __always_unused
      __always_inline inline
      __read_mostly
      __ro_after_init
      __randomize_layout
      __no_randomize_layout
      __nonstring
      __printf(a,b)
      __counted_by(m)
      __counted_by_ptr(m)
      __GNUC_PREREQ(a,b) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((a) << 16) + (b))
      __glibc_clang_prereq(a,b) ((__clang_major__ << 16) + __clang_minor__ >= ((a) << 16) + (b))
      __GLIBC_PREREQ(a,b) 1
      __GLIBC_USE(f) 0
      __glibc_has_attribute(a) 0
      __flexarr []
      __REDIRECT(name,proto,alias) name proto
      __BEGIN_DECLS
      __END_DECLS
      __THROW
      __THROWNL
      __NTH(f) f
      __nonnull(p)
      __attribute_pure__
      __attribute_const__
      __attribute_malloc__
      __attribute_deprecated__
      __wur
      __P(x) x
      BIT(n) (1UL << (n))
      _BITUL(x) (1UL << (x))
      _BITULL(x) (1ULL << (x))
      BIT_ULL(n) (1ULL << (n))
      _UL(x) x ## UL
      _ULL(x) x ## ULL
      _AC(x,y) x ## y
      __struct_group(TAG,NAME,ATTRS,MEMBERS...) \
      union { struct { MEMBERS } ATTRS; struct TAG { MEMBERS } ATTRS NAME; } ATTRS
      struct_group(NAME,MEMBERS...) union { struct { MEMBERS }; struct { MEMBERS } NAME; }
      __DECLARE_FLEX_ARRAY(TYPE,NAME) struct { struct { } __empty_ ## NAME; TYPE NAME[]; }
      DECLARE_FLEX_ARRAY(TYPE,NAME) struct { struct { } __empty_ ## NAME; TYPE NAME[]; }
      DECLARE_BITMAP(name,bits) unsigned long name[((bits) + __LONG_WIDTH__ - 1) / __LONG_WIDTH__]
      __bpf_md_ptr(type,name) union { type name; __u64 :64; } __attribute__((aligned(8)))
      """;

  private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\(([^)]*)\\))?(?: (.*))?");

  private PredefinedMacros() {}

  /**
   * Returns the macros of a machine.
   *
   * @param release of its kernel, {@code 6.12.1}
   */
  public static MacroTable of(Architecture architecture, String release) {
    Map<String, CMacro> macros = new HashMap<>();
    add(macros, COMMON);
    int bytes = architecture.wordSize();
    boolean isWide = bytes == Long.BYTES;
    add(macros, WORDS.replace("{0}", "" + bytes * Byte.SIZE).replace("{1}", "" + bytes));
    add(macros, isWide ? WIDE : NARROW);
    boolean isLittle = architecture.byteOrder() == ByteOrder.LITTLE_ENDIAN;
    String order = isLittle ? "LITTLE" : "BIG";
    add(macros, "__BYTE_ORDER__ __ORDER_" + order + "_ENDIAN__\n__" + order + "_ENDIAN__ 1\n");
    String number = isLittle ? "1234" : "4321";
    // What headers of the kernel and of the C library define: they are not read.
    add(macros, "__" + order + "_ENDIAN " + number + "\n__" + order + "_ENDIAN_BITFIELD 1\n");
    add(
        macros,
        order + "_ENDIAN " + number + "\nBYTE_ORDER " + number + "\n__BYTE_ORDER " + number + "\n");
    add(macros, "__FLOAT_WORD_ORDER__ __ORDER_" + order + "_ENDIAN__\n");
    add(macros, architecture.hasUnsignedCharacters() ? "__CHAR_UNSIGNED__ 1\n" : "");
    add(
        macros,
        architecture.hasUnsignedWideCharacters()
            ? "__WCHAR_TYPE__ unsigned int\n__WCHAR_MAX__ 4294967295U\n__WCHAR_UNSIGNED__ 1\n"
            : "__WCHAR_TYPE__ int\n__WCHAR_MAX__ 2147483647\n");
    architecture.macros().forEach((name, value) -> add(macros, name + " " + value + "\n"));
    add(macros, version(release));
    Map<String, CMacro> assumed = new HashMap<>();
    add(assumed, ASSUMED);
    Set<String> guesses = new HashSet<>(assumed.keySet());
    guesses.removeAll(macros.keySet());
    assumed.forEach(macros::putIfAbsent);
    return new MacroTable(macros, guesses);
  }

  /** The numbers of a kernel's release; later parts of it do not count. */
  private static String version(String release) {
    Matcher numbers =
        Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?.*").matcher(release);
    if (!numbers.matches()) {
      return "";
    }
    int major = Integer.parseInt(numbers.group(1));
    int minor = Integer.parseInt(numbers.group(2));
    int sub = numbers.group(3) == null ? 0 : Integer.parseInt(numbers.group(3));
    return "LINUX_VERSION_CODE "
        + ((major << 16) + (minor << 8) + Math.min(255, sub))
        + "\nLINUX_VERSION_MAJOR "
        + major
        + "\nLINUX_VERSION_PATCHLEVEL "
        + minor
        + "\nLINUX_VERSION_SUBLEVEL "
        + sub
        + "\n";
  }

  private static void add(Map<String, CMacro> macros, String lines) {
    lines
        .lines()
        .forEach(
            line -> {
              Matcher parts = LINE.matcher(line);
              if (parts.matches()) {
                CMacro macro = macro(parts);
                macros.put(macro.name(), macro);
              }
            });
  }

  private static CMacro macro(Matcher parts) {
    String text = parts.group(3) == null ? "" : parts.group(3);
    CLexer lexer = new CLexer("<predefined>", text, 0, CLexer.Dialect.C);
    List<CToken> body = new ArrayList<>();
    for (CToken token = lexer.next(); !token.isEnd(); token = lexer.next()) {
      body.add(token);
    }
    boolean isVariadic = parts.group(2) != null && parts.group(2).endsWith("...");
    Optional<List<String>> parameters =
        parts.group(2) == null
            ? Optional.empty()
            : Optional.of(List.of(parts.group(2).replace("...", "").split(",")));
    return new CMacro(parts.group(1), parameters, isVariadic, body, true);
  }
}
