package dev.ply.lang.c;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.analysis.struct.Layouts;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.lang.c.directive.Headers;
import dev.ply.machine.Architecture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Structures are laid out as GCC lays them out, where there is GCC. */
@Tag("any-java")
class CompiledLayoutsTest {
  private static final Headers NONE =
      new Headers() {
        @Override
        public List<Source> find(Source from, String operand, SourceSpan where) {
          return List.of();
        }

        @Override
        public boolean has(Source from, String operand) {
          return false;
        }
      };

  private static final List<String> TYPES =
      List.of(
          "char",
          "unsigned char",
          "short",
          "int",
          "unsigned",
          "long",
          "unsigned long long",
          "_Bool",
          "void *",
          "float",
          "double",
          "long double",
          "__int128",
          "enum wide",
          "enum small",
          "struct inner",
          "union either",
          "loose",
          "strict",
          "int (*)[3]");

  private static final List<String> NUMBERS =
      List.of(
          "char",
          "unsigned char",
          "short",
          "int",
          "unsigned",
          "long",
          "unsigned long long",
          "_Bool",
          "enum wide");

  private static final String PRELUDE =
      """
      enum wide { WIDE_A, WIDE_B = 1 << 20 };
      enum __attribute__((packed)) small { SMALL_A, SMALL_B };
      struct inner { char a; int b; short c; };
      union either { char a; long b; short c[5]; } __attribute__((packed));
      typedef long loose __attribute__((aligned(2)));
      typedef char strict __attribute__((aligned(32)));
      """;

  private static final String MEMBERS = "m%d";

  @Provide
  Arbitrary<List<String>> structures() {
    return structure().list().ofSize(80);
  }

  private static Arbitrary<String> attribute() {
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(12, Arbitraries.just("")),
        net.jqwik.api.Tuple.of(
            5,
            Arbitraries.of(
                "__attribute__((packed))",
                "__attribute__((aligned(8)))",
                "__attribute__((aligned(2)))",
                "__attribute__((aligned(16)))",
                "__attribute__((packed, aligned(4)))",
                "__attribute__((aligned))",
                "__attribute__((__packed__))",
                "__attribute__((unused))")));
  }

  private static Arbitrary<String> member() {
    Arbitrary<String> plain =
        Combinators.combine(
                Arbitraries.of(TYPES), attribute(), Arbitraries.of("", "", "", "[3]", "[2][5]"))
            .as(
                (type, attribute, array) ->
                    type.equals("int (*)[3]")
                        ? "int (*" + MEMBERS + ")[3] " + attribute
                        : type
                            + " "
                            + MEMBERS
                            // GCC has no arrays of what is smaller than its alignment.
                            + (type.equals("strict") ? "" : array)
                            + " "
                            + attribute);
    Arbitrary<String> bits =
        Combinators.combine(
                Arbitraries.of(NUMBERS), Arbitraries.integers().between(1, 64), attribute())
            .as(
                (type, width, attribute) ->
                    type + " " + MEMBERS + ":" + fit(type, width) + " " + attribute);
    Arbitrary<String> unnamed =
        Combinators.combine(Arbitraries.of(NUMBERS), Arbitraries.integers().between(0, 64))
            .as((type, width) -> type + " :" + (width < 16 ? 0 : fit(type, width)));
    Arbitrary<String> alignas =
        Combinators.combine(
                Arbitraries.of("8", "16", "int", "long double"), Arbitraries.of("char", "int"))
            .as((alignment, type) -> "_Alignas(" + alignment + ") " + type + " " + MEMBERS);
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(8, plain),
        net.jqwik.api.Tuple.of(6, bits),
        net.jqwik.api.Tuple.of(2, unnamed),
        net.jqwik.api.Tuple.of(1, alignas));
  }

  private static int fit(String type, int width) {
    int most =
        switch (type) {
          case "char", "unsigned char" -> 8;
          case "_Bool" -> 1;
          case "short" -> 16;
          case "int", "unsigned", "enum wide" -> 32;
          default -> 64;
        };
    return (width - 1) % most + 1;
  }

  private static Arbitrary<String> structure() {
    return Combinators.combine(
            Arbitraries.of("struct", "struct", "struct", "union"),
            member().list().ofMinSize(1).ofMaxSize(7),
            attribute(),
            attribute(),
            Arbitraries.of("", "", "", "1", "2", "4", "8", "16"))
        .as(
            (keyword, members, before, after, pack) -> {
              StringBuilder text = new StringBuilder();
              for (int i = 0; i < members.size(); i++) {
                text.append(members.get(i).replace(MEMBERS, "m" + i)).append("; ");
              }
              String body = keyword + " " + before + " NAME { " + text + "} " + after + ";\n";
              return pack.isEmpty()
                  ? body
                  : "#pragma pack(push, " + pack + ")\n" + body + "#pragma pack(pop)\n";
            });
  }

  @Property(tries = 4)
  void randomStructures(@ForAll("structures") List<String> structures) throws Exception {
    StringBuilder header = new StringBuilder(PRELUDE);
    for (int i = 0; i < structures.size(); i++) {
      header.append(structures.get(i).replace("NAME", "s" + i));
    }
    assertSame(header.toString());
  }

  @Test
  void formsOfAttributes() throws Exception {
    assertSame(
        """
        struct __attribute__((packed)) a { char c; int i; };
        struct b { char c; int i; } __attribute__((packed));
        struct __attribute__((aligned(8))) two { char c; } __attribute__((aligned(4)));
        struct both { char c; char d __attribute__((aligned(16))) __attribute__((aligned(4))); };
        struct c { char c; int i __attribute__((packed)); long l; };
        struct d { char c; int i; } __attribute__((aligned(16)));
        struct e { char c; } __attribute__((aligned));
        #pragma pack(1)
        struct f { char c; long l; };
        #pragma pack()
        struct g { char c; long l; };
        #pragma pack(push, outer, 2)
        #pragma pack(push, 1)
        struct h { char c; long l; };
        #pragma pack(pop, outer)
        struct i { char c; long l; };
        #pragma pack(push)
        #pragma pack(4)
        struct j { char c; long l; };
        #pragma pack(pop)
        _Pragma("pack(push, 2)") struct k { char c; long l; }; _Pragma("pack(pop)")
        struct l { struct { char c; int i; } __attribute__((packed)) in; char d; short s; };
        struct m { _Alignas(8) char c; int x, *y, z[2]; };
        struct n { unsigned a:3; unsigned :7; unsigned b:3; unsigned :0; unsigned c:1; };
        struct o { int (*ops[4])(void); const char *const name; int (*p)[4]; void (*f)(int, ...); };
        struct p { struct deep { char x; long y; } d; enum kind { ONE, TWO } k; };
        struct q { struct deep again; enum kind other; };
        struct r { char b[sizeof(int)]; char c[sizeof(struct deep)]; char d['\\n']; };
        struct s { unsigned __int128 a; char b; long double c; };
        typedef struct { short a; long b; } named;
        struct t { named n[2]; named *p; };
        struct u { char c; struct { int i; } __attribute__((aligned(16))); };
        typedef int vector[3];
        struct v { char c; vector a[2]; int flexible[]; };
        struct w { char c; int d[0]; };
        struct x { char a; long b:40; int c:20; char d:3; } __attribute__((packed));
        struct y { enum { HUGE = 0x100000000 } e; enum { NEGATIVE = -1 } n; };
        struct z { int a __attribute__((mode(DI))); char c; };
        """);
  }

  private static void assertSame(String header) throws IOException, InterruptedException {
    String compiler = compiled("int main(void) { return 0; }\n", "");
    assumeThat(compiler).as("gcc").isNotEqualTo("none");
    Diagnostics diagnostics = new Diagnostics();
    Architecture architecture =
        Architecture.named(System.getProperty("os.arch", "")).orElse(Architecture.X86_64);
    CFrontEnd c = new CFrontEnd(architecture, "6.1.0", diagnostics);
    c.read(new Source("x.h", header), NONE);
    assertThat(diagnostics.list()).isEmpty();
    Layouts layouts = new Layouts(architecture);
    c.definitions().forEach(layouts::add);
    List<String> found = new ArrayList<>();
    StringBuilder main = new StringBuilder();
    for (TypeDefinition definition : c.definitions()) {
      if (definition instanceof Struct struct && !struct.tag().isEmpty()) {
        String name = struct.name();
        FieldType type = new FieldType.Named(new TypeName(name, 0));
        found.add(
            name + " " + layouts.size(type).orElse(-1) + " " + layouts.alignment(type).orElse(-1));
        main.append("SIZE(%s)%n".formatted(name));
        members(struct)
            .forEach(
                member -> {
                  Layouts.Place place = layouts.member(type, member).orElseThrow();
                  boolean isPlain = place.type().bits().isEmpty();
                  found.add(
                      name + "." + member + " " + (place.offset() * Byte.SIZE + place.shift()));
                  main.append(
                      (isPlain ? "PLACE(%s, %s)%n" : "BITS(%s, %s)%n").formatted(name, member));
                });
      }
    }
    String output =
        compiled(
            """
            #include <stdio.h>
            #include <string.h>
            #include <stddef.h>
            %s
            #define SIZE(s) printf("%%s %%zu %%zu\\n", #s, sizeof(s), _Alignof(s));
            #define PLACE(s, m) printf("%%s.%%s %%zu\\n", #s, #m, offsetof(s, m) * 8);
            #define BITS(s, m) { s v; memset(&v, 0, sizeof v); v.m = -1; bits(#s, #m, (void *)&v, sizeof v); }
            static void bits(const char *s, const char *m, unsigned char *v, size_t n) {
              for (size_t i = 0; i < n * 8; i++)
                if (v[i / 8] >> i %% 8 & 1) { printf("%%s.%%s %%zu\\n", s, m, i); return; }
            }
            int main(void) {
              %s
              return 0;
            }
            """
                .formatted(header, main),
            "run");
    assertThat(String.join("\n", found)).isEqualTo(output.strip());
  }

  private static List<String> members(Struct struct) {
    return List.copyOf(
        new TreeSet<>(
            struct.fields().stream()
                .map(TypeDefinition.Field::name)
                .filter(name -> !name.isEmpty())
                .toList()));
  }

  /** Returns what a program prints; "none" without a compiler. */
  private static String compiled(String program, String run)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("ply-layout");
    try {
      Path source = Files.writeString(directory.resolve("x.c"), program);
      Path binary = directory.resolve("x");
      String errors;
      try {
        errors =
            output(
                "gcc",
                "-w",
                "-Wno-packed-bitfield-compat",
                "-O0",
                "-o",
                binary.toString(),
                source.toString());
      } catch (IOException e) {
        return "none";
      }
      assertThat(errors).isEmpty();
      return run.isEmpty() ? "" : output(binary.toString());
    } finally {
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  private static String output(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return text;
  }
}
