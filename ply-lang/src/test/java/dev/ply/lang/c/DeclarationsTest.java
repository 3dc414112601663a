package dev.ply.lang.c;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.CDeclaration;
import dev.ply.lang.c.directive.Headers;
import dev.ply.machine.Architecture;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Declarations and macros of headers. */
class DeclarationsTest {
  private static final Headers NONE =
      new Headers() {
        @Override
        public List<Source> find(Source from, String operand, SourceSpan where) {
          return List.of();
        }

        @Override
        public boolean has(Source from, String operand) {
          return operand.equals("<there.h>");
        }
      };

  private record Read(String definitions, List<String> problems) {}

  private static Read read(String header, Architecture architecture) {
    Diagnostics diagnostics = new Diagnostics();
    CFrontEnd c = new CFrontEnd(architecture, "6.12.3-amd64", diagnostics);
    c.read(new Source("x.h", header), NONE);
    return new Read(
        c.definitions().stream().map(CDeclaration::of).collect(Collectors.joining(" ")),
        diagnostics.list().stream().map(Diagnostic::message).toList());
  }

  /** Two headers define the same. */
  private static void assertSame(String header, String plain) {
    Read read = read(header, Architecture.X86_64);
    assertThat(read.problems()).isEmpty();
    assertThat(read.definitions()).isEqualTo(read(plain, Architecture.X86_64).definitions());
    assertThat(read.definitions()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "struct fwd; union u; enum e; struct s { struct fwd *p; }; | struct s { struct fwd *p; };",
        "int f(struct s *, int (*)(void)); struct s { int a; }; | struct s { int a; };",
        "extern int x[], *y; struct s { int a; }; extern struct s z; | struct s { int a; };",
        "static inline int f(int a) { if (a) { return 1; } return 0; } struct s { int a; };"
            + " | struct s { int a; };",
        "static const struct { int x; } v = { .x = 1 }, *w; struct s { int a; }; | struct s { int"
            + " a; };",
        "struct s { const char *const a; volatile int b; int const c; };"
            + " | struct s { char *a; int b; int c; };",
        "struct s { int (*ops[4])(void), (*f)(int, ...); };"
            + " | struct s { void *ops[4]; void *f; };",
        "struct s { char b[sizeof(int) * 2 + sizeof(long)]; }; | struct s { char b[16]; };",
        "struct s { char b[(1 ? 3 : 4) << 1 BAR 1]; }; | struct s { char b[7]; };",
        "struct t { int a; long b; }; struct s { char b[sizeof(((struct t *)0)->b)],"
            + " c[offsetof(struct t, b)]; }; | struct t { int a; long b; }; struct s { char b[8];"
            + " char c[8]; };",
        "enum e { A = 'a', B, C = sizeof(long), D = -1 }; | enum e { A = 97, B = 98, C = 8, D = -1"
            + " };",
        "enum e { A = 0x8000000000000000, B }; | enum e { A = 9223372036854775808u, B ="
            + " 9223372036854775809u };",
        "struct s { struct in { int a; } x; enum e { A } y; };"
            + " | struct in { int a; }; enum e { A }; struct s { struct in x; enum e y; };",
        "_Static_assert(sizeof(long) == 8, `text`); struct s { int a; }; | struct s { int a; };",
        "struct s { _Static_assert(1); __signed__ char a; unsigned __int128 b; };"
            + " | struct s { signed char a; unsigned __int128 b; };",
        "typedef unsigned int u; typedef u *p; struct s { p a; }; | typedef unsigned int u; typedef"
            + " u *p; struct s { p a; };",
        "struct s { int a; } __attribute__((may_alias, unused, preserve_access_index)); | struct s"
            + " { int a; };",
        "struct s { int __attribute__((btf_type_tag(`user`))) *a; }; | struct s { int *a; };",
        "struct [[gnu::packed]] s { int a; }; | struct __attribute__((packed)) s { int a; };",
        "__extension__ typedef long long big; | typedef long long big;",
        "struct s { __typeof__(int *) a; }; | struct s { int *a; };",
      })
  void declarationsAreThoseOfC(String header, String plain) {
    assertSame(header.replace('`', '"').replace("BAR", "|"), plain);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "#define M(a) (a)~struct s { char b[M(3)]; }; | 3",
        "#define CAT(a,b) a##b~#define XCAT(a,b) CAT(a,b)~#define N 1~struct s { char b[XCAT(N,"
            + " 2)]; }; | 12",
        "#define LAST(a, ...) __VA_ARGS__~struct s { char b[LAST(1, 2 + 3)]; }; | 5",
        "#define F(x, r...) x(0, ##r)~#define G(...) 7~struct s { char b[F(G)]; }; | 7",
        "#define OPT(a, ...) a __VA_OPT__(+) __VA_ARGS__~struct s { char b[OPT(1) + OPT(2, 3)]; };"
            + " | 6",
        "#define f(x) x + f(x)~enum { f = 4 };~struct s { char b[sizeof(`ab`)]; }; | 3",
        "#  define N \\~ 4~struct s { char b[N]; }; | 4",
        "#define N 4 /* a~ comment */ + 1~struct s { char b[N]; }; | 5",
        "#define X 1~#undef X~#ifdef X~#error no~#elifdef __x86_64__~struct s { char b[9];"
            + " };~#endif | 9",
        "#if __has_include(<there.h>) && !__has_include(<none.h>)~struct s { char b[2]; };~#endif |"
            + " 2",
        "#if __has_attribute(packed) && !__has_attribute(nothing)~struct s { char b[2]; };~#endif |"
            + " 2",
        "#if -1 > 0u && 'a' == 97 && (0 BARBAR 3 ? 1 : 1 / 0)~struct s { char b[2]; };~#endif | 2",
        "#if 1 ?: 0~struct s { char b[2]; };~#endif | 2",
        "#if LINUX_VERSION_CODE >= KERNEL_VERSION(6,12,3) && LINUX_VERSION_CODE <"
            + " KERNEL_VERSION(6,12,4)~struct s { char b[2]; };~#endif | 2",
        "#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && defined __LITTLE_ENDIAN__ && __LP64__~"
            + "struct s { char b[__SIZEOF_POINTER__]; };~#endif | 8",
        "#if __INT_MAX__ == 2147483647 && __CHAR_BIT__ == 8 && __STDC__ && __clang__ && __linux__~"
            + "struct s { char b[2]; };~#endif | 2",
        "#if 18446744073709551615 == -1 && 0x7fffffffffffffff + 1 < 0~struct s { char b[2];"
            + " };~#endif | 2",
        "#line 7~struct s { char b[__LINE__]; }; | 2",
        "#define LIST(x) x(A) x(B)~#define ENTRY(n) n,~enum { LIST(ENTRY) };~#undef ENTRY~"
            + "struct s { char b[B]; }; | 1",
      })
  void macrosAreThoseOfC(String header, int length) {
    Read read =
        read(header.replace('`', '"').replace("BAR", "|").replace('~', '\n'), Architecture.X86_64);
    assertThat(read.problems()).isEmpty();
    assertThat(read.definitions()).endsWith("struct s { char b[" + length + "]; };");
  }

  @Test
  void theTargetsMacrosAreDefined() {
    String header =
        """
        #if defined(__x86_64__)
        struct x86 { int a; };
        #elif defined(__aarch64__)
        struct arm { int a; };
        #elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        struct big { char b[__SIZEOF_LONG__]; };
        #endif
        """;
    assertThat(read(header, Architecture.X86_64).definitions()).contains("x86");
    assertThat(read(header, Architecture.AARCH64).definitions()).contains("arm");
    assertThat(read(header, Architecture.S390X).definitions())
        .isEqualTo("struct big { char b[8]; };");
    assertThat(read(header, Architecture.PPC).definitions())
        .isEqualTo("struct big { char b[4]; };");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "#error do not do this | #error do not do this",
        "#warning careful, don't | #warning careful, don't",
        "struct s { int a; } __attribute__((weird)); | unknown attribute \"weird\"",
        "struct s { int a __attribute__((scalar_storage_order(1))); };"
            + " | unknown attribute \"scalar_storage_order\"",
        "#pragma ms_struct on | #pragma ms_struct on is not known here",
        "#pragma pack(3) | \"3\" is not an alignment",
        "#pragma pack 1 | unknown form of #pragma pack",
        "#pragma pack(pop) | #pragma pack(pop) has no pack(push) before it",
        "struct s { int a; } __packed_; | \"__packed_\" is not defined",
        "struct s { int a; }; struct s { long a; }; | \"s\" is defined already, as another type",
        "typedef int t; typedef long t; | \"t\" is defined already, as another type",
        "_Static_assert(sizeof(int) == 3, `no`); | the assertion is false: \"no\"",
        "struct s { int 3; }; | unexpected \"3\" in the definition of a type",
        "struct s { char a[1 / 0]; }; | this divides by zero",
        "struct s { char a[-1]; }; | \"-\" is too large or negative",
        "struct s { int a; | the definition of a type is not closed",
        "struct s { _Alignas(3) int a; }; | \"3\" is not an alignment",
        "#if 1 | #if has no #endif",
        "#endif | #endif has no #if",
        "#nothing | unknown directive #nothing",
        "extern `C` { } | this is C++",
        "__attribute__((packed)) struct s { int a; }; | \"packed\" has no effect here, as in C: it"
            + " follows the word struct, or the closing brace",
      })
  void mistakesAreReported(String header, String message) {
    assertThat(read(header.replace('`', '"'), Architecture.X86_64).problems())
        .contains(message.replace('`', '"'));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#pragma once",
        "#pragma GCC diagnostic push",
        "#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)",
        "#if 0\n#error no\n#pragma nothing\n#nothing\n#endif",
        "#if 0\n#if 1\n#else\n#endif\n'unclosed\n#endif",
        "# 12 \"file.c\"",
        "#ident \"x\"",
        "int f(void) __attribute__((weird));",
        "extern int f(void) __asm__(\"g\") __THROW __nonnull((1));",
      })
  void theseChangeNothing(String header) {
    Read read = read(header + "\nstruct s { int a; };", Architecture.X86_64);
    assertThat(read.problems()).isEmpty();
    assertThat(read.definitions()).isEqualTo("struct s { int a; };");
  }

  @Property(tries = 300)
  void anyTextIsAnswered(@ForAll("texts") String text) {
    assertThat(read(text, Architecture.X86_64).problems()).isNotNull();
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "struct",
            "union",
            "enum",
            "typedef",
            "s",
            "t",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            ";",
            ":",
            ",",
            "*",
            "=",
            "int",
            "char",
            "3",
            "-",
            "sizeof",
            "_Static_assert",
            "_Pragma",
            "\"",
            "'",
            "\n#define M(a) a M(a) #a a##a\n",
            "\n#define N M(N) N N\n",
            "M(",
            "M",
            "N",
            "\n#if M(1)\n",
            "\n#elif defined\n",
            "\n#else\n",
            "\n#endif\n",
            "\n#pragma pack(push, 1)\n",
            "__attribute__((packed))",
            "__attribute__((aligned",
            "_Alignas(",
            "->",
            "?",
            "/*",
            "*/",
            "\\\n",
            "\n#include \"x.h\"\n",
            "typeof",
            "__VA_OPT__",
            "offsetof",
            "&",
            "0x",
            "1.5e+3")
        .list()
        .ofMaxSize(40)
        .map(pieces -> String.join(" ", pieces));
  }
}
