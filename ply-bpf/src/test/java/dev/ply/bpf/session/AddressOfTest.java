package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.layout.Layout;
import org.junit.jupiter.api.Test;

/** Addresses of a clause's variables, and what is read through them. */
class AddressOfTest {
  private static String run(String statements) {
    String script = "begin { " + statements + " }";
    String output = LayoutTest.run(script, Layout.BPFTRACE).replaceAll("\n+", "\n").strip();
    String printed = ScriptPrinter.print(PlyScript.parse(script));
    assertThat(LayoutTest.run(printed, Layout.BPFTRACE).replaceAll("\n+", "\n").strip())
        .as(printed)
        .isEqualTo(output);
    return output;
  }

  @Test
  void aPointerShowsWhatItsVariableHolds() {
    assertThat(run("$a = 1; $p = &$a; print(*$p); $a = 7; print(*$p); $a++; print((*$p, $a--));"))
        .isEqualTo("1\n7\n(8, 8)");
    assertThat(
            run("let $a; $p = &$a; print(*$p); $a -= 4; print((*$p + 1, $p == &$a, &$p != $p));"))
        .isEqualTo("0\n(-3, true, true)");
    assertThat(run("$a = 5; $p = &$a; $q = &$p; print(**$q); @p = $p; print(*@p); clear(@p);"))
        .isEqualTo("5\n5");
  }

  @Test
  void stringsTuplesAndArraysAreReadWhole() {
    assertThat(run("$a = \"hello\"; print((*&$a, *&$a == \"hello\")); @[*&$a] = 1;"))
        .isEqualTo("(hello, true)\n@[hello]: 1");
    assertThat(
            run(
                "$t = (1, \"a longer one\"); $p = &$t; $t = (2, \"x\"); $q = *$p;"
                    + " print((*$p, (*$p).1, *$p == $q));"))
        .isEqualTo("((2, x), x, true)");
    assertThat(run("$r = (a=1, b=\"x\"); print((*&$r).b);")).isEqualTo("x");
    assertThat(run("$a = (int8[4])5; $p = &$a; print((*$p)[0]); print(*$p);"))
        .isEqualTo("5\n[5,0,0,0]");
  }

  @Test
  void bytesOfAVariableAreReadThroughOtherPointers() {
    assertThat(run("$a = \"hello\"; $b = (int8 *)&$a; printf(\"%c %c\\n\", *$b, *++$b);"))
        .isEqualTo("h e");
    assertThat(run("$a = 0x102; print((((uint8 *)&$a)[0], ((uint8 *)&$a)[1]));"))
        .isEqualTo("(2, 1)");
    assertThat(
            LayoutTest.run(
                    "struct bits { uint64_t low : 1; uint64_t high : 4; }; begin { $v = 0x1e;"
                        + " print(*(struct bits *)&$v); }",
                    Layout.BPFTRACE)
                .strip())
        .isEqualTo("{ .low = 0, .high = 15 }");
  }

  @Test
  void theContextIsReadThroughPointers() {
    assertThat(
            run(
                "$c = (int32 *)ctx; print((*$c == 0, (uint64)ctx == (uint64)$c, (int8)ctx !="
                    + " 1000));"))
        .isEqualTo("(true, true, true)");
  }

  @Test
  void loopsOverMapsChangeWhatIsPointedTo() {
    assertThat(
            run(
                "@m[1] = 2; @m[2] = 3; $s = 0; $p = &$s; for ($kv : @m) { $s += $kv.1 + 0 * *$p; }"
                    + " for ($i : 0..3) { $s = *$p + $i; } clear(@m); print(*$p);"))
        .isEqualTo("8");
  }

  @Test
  void onlyVariablesOfTheirOwnHaveAddresses() {
    assertThatThrownBy(() -> run("for ($i : 0..2) { print(&$i); }"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("the variable of a loop has no address");
    assertThatThrownBy(() -> run("@m[1] = 1; for ($kv : @m) { print(&$kv); }"))
        .hasMessageContaining("the variable of a loop has no address");
    assertThatThrownBy(() -> run("print(&pid);")).hasMessageContaining("this has no address");
    assertThatThrownBy(() -> run("@x = 1; print(&@x);"))
        .hasMessageContaining("this has no address");
  }
}
