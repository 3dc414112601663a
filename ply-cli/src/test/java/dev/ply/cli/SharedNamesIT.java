package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions that share a name, and names that look like patterns. */
@Tag("live")
@Tag("oldest")
@Timeout(300)
class SharedNamesIT {
  private static final String FIRST =
      """
      static __attribute__((noinline)) int tick(int n) { __asm__ volatile(""); return n + 1; }
      int one(int n) { return tick(n); }
      """;
  private static final String SECOND = FIRST.replace("n + 1", "n + 2").replace("one", "two");
  private static final String MAIN =
      """
      int one(int); int two(int);
      __attribute__((noinline)) int boxed(int n) __asm__("\\"box[int]\\"");
      __attribute__((noinline)) int boxed(int n) { __asm__ volatile(""); return n; }
      __attribute__((noinline)) int boxi(int n) { __asm__ volatile(""); return n; }
      int main(void) {
        for (int i = 0; i < 3; i++) one(i);
        for (int i = 0; i < 4; i++) two(i);
        for (int i = 0; i < 5; i++) boxed(i);
        boxi(0);
        return 0;
      }
      """;
  private static final String CXX =
      """
      namespace { __attribute__((noinline)) int hidden(int n) { asm volatile(""); return n; } }
      __attribute__((noinline, abi_tag("cxx11"))) int tagged(int n) { asm volatile(""); return n; }
      struct Pair {
        __attribute__((noinline)) int operator[](int n) { asm volatile(""); return n; }
        __attribute__((noinline)) int operator*(int n) { asm volatile(""); return n; }
        __attribute__((noinline)) int operator+(int n) { asm volatile(""); return n; }
      };
      int other(int);
      int main() {
        Pair pair;
        for (int i = 0; i < 5; i++) { hidden(i); other(i); tagged(i); pair[i]; pair * i; pair + i; }
      }
      """;
  private static final String CXX_OTHER =
      """
      namespace { __attribute__((noinline)) int hidden(int n) { asm volatile(""); return n + 1; } }
      int other(int n) { return hidden(n); }
      """;

  /** Symbols outside code, and one whose name is not UTF-8. */
  private static final String ODD =
      """
      __asm__(".globl odd_out\\n.type odd_out,@function\\n.set odd_out,0x900000\\n");
      __asm__(".data\\n.globl odd_data\\n.type odd_data,@function\\nodd_data: .quad 0\\n.text\\n");
      __asm__(".globl \\"odd\\xff\\"\\n.type \\"odd\\xff\\",@function\\n\\"odd\\xff\\": ret\\n");
      __attribute__((noinline)) void odd(void) { __asm__ volatile(""); }
      int main(void) { odd(); odd(); return 0; }
      """;

  /** Longer than that of FIRST: an instruction at offset 6 is in it alone. */
  private static final String UNEVEN = SECOND.replace("n + 2", "n * 3000 + 2");

  /** A USDT probe, and one outside code. */
  private static final String MARKED =
      """
      #define MARK(name, at) __asm__ volatile("990: nop\\n" \\
        ".pushsection .note.stapsdt,\\"\\",\\"note\\"\\n.balign 4\\n" \\
        ".4byte 992f-991f,994f-993f,3\\n991: .asciz \\"stapsdt\\"\\n992: .balign 4\\n" \\
        "993: .8byte " at "\\n.8byte 0\\n.8byte 0\\n.asciz \\"app\\"\\n.asciz \\"" name \\
        "\\"\\n.asciz \\"\\"\\n994: .balign 4\\n.popsection\\n")
      int main(void) {
        for (int i = 0; i < 3; i++) MARK("right", "990b");
        MARK("odd", "0x90000000");
        return 0;
      }
      """;

  @TempDir static Path directory;

  @BeforeAll
  static void compile() throws Exception {
    Live.assumeTracing();
    Files.createDirectory(directory.resolve("d[1]"));
    compile("gcc", ".c", "d[1]/prog", FIRST, SECOND, MAIN);
    compile("gcc", ".c", "prog", FIRST, SECOND, MAIN);
    compile("gcc", ".c", "odd", ODD);
    compile("gcc", ".c", "uneven", FIRST, UNEVEN, MAIN);
    compile("gcc", ".c", "marked", MARKED);
    compile("g++", ".cc", "cxx", CXX, CXX_OTHER);
  }

  private static void compile(String compiler, String ending, String program, String... sources)
      throws Exception {
    Path path = Path.of("/usr/bin", compiler);
    assumeTrue(Files.isExecutable(path), () -> "there is no " + path);
    List<String> command = new ArrayList<>(List.of(path.toString(), "-g", "-O1", "-o", program));
    for (int i = 0; i < sources.length; i++) {
      String name = "source" + i + ending;
      Files.writeString(directory.resolve(name), sources[i]);
      command.add(name);
    }
    int status = new ProcessBuilder(command).directory(directory.toFile()).start().waitFor();
    assumeTrue(status == 0, "a program cannot be compiled here");
  }

  private static String trace(String program, String script) {
    Path path = directory.resolve(program);
    Call call =
        Call.ply("bt", "-q", "-c", path.toString(), "-e", script.replace("PROG", path + ""));
    assertThat(call.errors()).isEmpty();
    return call.output();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tick", "tic*", "*tick*"})
  void allFunctionsOfANameAreProbed(String function) {
    assertThat(trace("prog", "uprobe:PROG:" + function + " { @[func] = count(); }"))
        .contains("@[tick]: 7");
    assertThat(trace("prog", "uretprobe:PROG:" + function + " { @ = sum(retval); }"))
        .contains("@: 20");
    assertThat(trace("prog", "uprobe:PROG:" + function + " { @[probe] = sum(args.n); }"))
        .contains("@[uprobe:" + directory.resolve("prog") + ":tick]: 9\n");
  }

  @Test
  void anInstructionIsProbedInAllFunctionsOfTheNameThatHaveIt() {
    Path program = directory.resolve("uneven");
    // The return of the first, and inside an instruction of the second; in both only at the start.
    for (String place : List.of("tick+3", "tick+6")) {
      String script = "uprobe:" + program + ":" + place + " { @ = count(); }";
      Call call = Call.ply("bt", "-q", "-c", program.toString(), "-e", script);
      assertThat(call.output()).contains(place.equals("tick+3") ? "@: 3\n" : "@: 4\n");
      assertThat(call.errors())
          .contains("uprobe:" + program + ":" + place + " skips 1 function")
          .contains("tick");
    }
    assertThat(trace("prog", "uprobe:PROG:tick+3 { @ = count(); }")).contains("@: 7\n");
    Call none = Call.ply("bt", "-e", "uprobe:" + program + ":tick+99 { @ = count(); }");
    assertThat(none.errors()).contains("has no offset 99").contains("it ends before offset 4");
  }

  @Test
  void usdtProbesOutsideCodeAreCounted() {
    Path program = directory.resolve("marked");
    for (String mark : List.of("app:*", "*")) {
      String probe = "usdt:" + program + ":" + mark;
      Call call = Call.ply("bt", "-q", "-c", program.toString(), "-e", probe + " { @ = count(); }");
      assertThat(call.output()).contains("@: 3\n");
      assertThat(call.errors()).contains(probe + " skips 1 USDT probe").contains("1 outside code");
    }
    Call odd = Call.ply("bt", "-e", "usdt:" + program + ":app:odd { @ = count(); }");
    assertThat(odd.errors()).contains("the USDT probe app:odd of " + program + " is outside code");
  }

  @ParameterizedTest
  @ValueSource(strings = {"uprobe", "uretprobe"})
  void aPatternLeavesOutWhatCannotBeProbedAndSaysSo(String kind) {
    Path program = directory.resolve("odd");
    String script = kind + ":" + program + ":odd* { @[func] = count(); }";
    Call call = Call.ply("bt", "-q", "-c", program.toString(), "-e", script);
    assertThat(call.output()).contains("@[odd]: 2");
    assertThat(call.errors())
        .contains("skips 3 symbols")
        .contains("3 outside code, or with names that are not UTF-8");
  }

  @Test
  void aNameWithBracketsIsTakenLiterally() {
    assertThat(trace("prog", "uprobe:PROG:\"box[int]\" { @[func] = count(); }"))
        .contains("@[box[int]]: 5")
        .doesNotContain("boxi");
    assertThat(trace("prog", "uprobe:PROG:\"box[i]\" { @[func] = count(); }"))
        .contains("@[boxi]: 1");
    assertThat(trace("d[1]/prog", "uprobe:PROG:one { @ = sum(args.n); }")).contains("@: 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tagged[abi:cxx11](int)|5",
        "tagged[abi:cxx11]|5",
        "tagged(int)|5",
        "Pair::operator[]|5",
        "Pair::operator[](int)|5",
        "Pair::operator*|5",
        "Pair::operator?|10",
        "(anonymous namespace)::hidden|10",
        "*hidden*|10",
      })
  void namesOfCxxAreTakenLiterallyFirst(String name, int calls) {
    assertThat(trace("cxx", "uprobe:PROG:cpp:\"" + name + "\" { @ = count(); }"))
        .contains("@: " + calls + "\n");
  }

  @Test
  void aSharedNameIsListedOnce() {
    String prog = directory.resolve("prog").toString();
    assertThat(Call.ply("-l", "uprobe:" + prog + ":tick").output())
        .isEqualTo("uprobe:" + prog + ":tick\n");
    assertThat(Call.ply("-l", "uprobe:" + prog + ":ti*").output())
        .isEqualTo("uprobe:" + prog + ":tick\n");
  }
}
