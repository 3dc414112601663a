package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.layout.Layout;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Macros of scripts, and blocks with values. */
class MacrosTest {
  private static final String[][] RUN = {
    {
      "fn add($a: int64, $b: int64): int64 { return $a + $b; }"
          + " begin { $a = 3; print(add($a, add(1, 2))); add(1, 2); }",
      "6"
    },
    {
      "fn class($n: uint64): uint64 { if ($n == 0) { return 1; } if ($n < 10) { return 2; } else if"
          + " ($n < 100) { @hit++; } else { return 4; } $n += 1; return $n; } begin { $n = 50;"
          + " print((class(0), class(5), class($n), class(500), $n)); clear(@hit); }",
      "(1, 2, 51, 4, 50)"
    },
    {
      "fn find($want: int64): int64 { for ($i : 0..10) { for ($j : 0..10) { if ($i * $j == $want) {"
          + " return $i * 100 + $j; } } } return -1; }"
          + " begin { print((find(12), find(97), find(81))); }",
      "(206, -1, 909)"
    },
    {
      "fn f($x: int64): int64 { if ($x > 5) { if ($x > 7) { return 7; } @more++; } return 0; }"
          + " begin { print((f(1), f(6), f(9))); clear(@more); }",
      "(0, 0, 7)"
    },
    {
      "fn f($x: int64): int64 { $i = 0; while ($i < 9) { $i++; { if ($i == $x) { return $i; } }"
          + " $i++; } return 0; } begin { print((f(3), f(4))); }",
      "(3, 0)"
    },
    {
      "fn hello($x: string[16]): void { if ($x == \"no\") { return; } printf(\"hi %s\\n\", $x); }"
          + " begin { hello(\"you\"); hello(\"no\"); }",
      "hi you"
    },
    {
      "macro twice(x) { x; x } fn next(): int64 { @n++; return @n; }"
          + " begin { @n = 0; $b = twice(next()); print((@n, $b)); clear(@n); }",
      "(2, 2)"
    },
    {"fn f($a: uint8): uint16 { return $a; } begin { print(f(200)); }", "200"},
    {
      "macro f(x) { if comptime (x > 1) { 1 } else { 2 } } begin { print((f(1), f(2))); }", "(2, 1)"
    },
    {
      "fn f($z: typeof($x), $y: typeof($z), $x: int64): typeof($x) { return $z + $y * $x; }"
          + " begin { @n = 0; print(f(++@n, ++@n, ++@n)); clear(@n); }",
      "7"
    },
    {"fn unused($p: int64 *): int64 { return latency + arg0; } begin { print(1); }", "1"},
    {"fn unused($a: int8): void { @b[$a] = comm; } begin { @a[1] = 5; }", "@a[1]: 5"},
    {"macro inc($x) { $x += 1; } begin { $a = 1; inc($a); print($a); }", "2"},
    {"macro inc($x) { $x += 1; $x } begin { $a = 1; $b = inc($a); print(($a, $b)); }", "(2, 2)"},
    {"macro set(@x) { @x[1] = 2; } begin { @a[1] = 1; set(@a); }", "@a[1]: 2"},
    {"macro set(@x) { @x = 2; } begin { @a = 1; set(@a); }", "@a: 2"},
    {"macro hit(@x) { @x[1] = count(); } begin { hit(@a); hit(@a); }", "@a[1]: 2"},
    {
      "macro add(x) { let $y: typeof(x); if (true) { $y = 1 } x + $y } begin { print(add(1)); }",
      "2"
    },
    {"macro get(@x) { 1 + @x[1] } begin { @a[1] = 1; print(get(@a)); clear(@a); }", "2"},
    {"macro print_me($x) { print((\"me\", $x)); } begin { $a = 1; print_me($a); }", "(me, 1)"},
    {"macro early() { exit(); } begin { early(); print(1); }", ""},
    {
      "macro add1(x) { x + 1 } macro add2(y) { y + add1(y) } macro add3(z) { z + add2(z) }"
          + " begin { print(add3(1)); }",
      "4"
    },
    {
      "macro add3(x) { x + add2(x) } macro add2(x) { x + add1(x) } macro add1(x) { x + 1 }"
          + " begin { print(add3(1)); }",
      "4"
    },
    {
      "macro add1($x) { $x += 1; } macro add2($y) { add1($y); $y += 1; }"
          + " macro add3($z) { add2($z); $z += 1; } begin { $a = 1; add3($a); print($a); }",
      "4"
    },
    {"macro add_one(x) { x + 1 } begin { $a = 1; print(add_one($a + 1)); }", "3"},
    {
      "macro add_two(x) { x + 2 } macro add_one(x) { add_two(x + 1) + 1 }"
          + " begin { $a = 1; print(add_one($a + 1)); }",
      "6"
    },
    {"macro add_one(x) { x + 1 } begin { @a = 1; print(add_one(@a + 1)); clear(@a); }", "3"},
    {
      "macro loop_map(@a) { let $x = 1; for ($kv : @a) { $x += $kv.1; } $x }"
          + " begin { @x[1] = 5; @x[2] = 10; print(loop_map(@x)); clear(@x); }",
      "16"
    },
    {
      "macro first_key(@x) { let $x; for ($k : @x) { $x = $k.0; break; } $x } begin {"
          + " @a[1] = 0; @b[2] = 0; print((first_key(@a), first_key(@b))); clear(@a); clear(@b); }",
      "(1, 2)"
    },
    {
      "macro add1($x) { $x + 1 } macro add2($x) { $x + 2 }"
          + " begin { $a = 1; if ($a == 1) { print(add2($a)); } else { print(add1($a)); } }",
      "3"
    },
    {"macro inc(x) { $y = x + 1; $y } begin { $y = 2; $z = inc(5); print(($y, $z)); }", "(2, 6)"},
    {
      "macro inc(x) { let $y = x + 1; $y } begin { $y = 2; $z = inc($y); print(($y, $z)); }",
      "(2, 3)"
    },
    {"macro add_one(x) { x + 1 } begin { $a = add_one(add_one(1) + 1); print($a); }", "4"},
    {"macro one() { $x = 1; $x } begin { $a = one; print($a); }", "1"},
    {
      "macro inc(x) { $y = x + 1; $z = x + 2; $y + $z }"
          + " begin { $y = 2; print(inc({ $y += 1; $y })); }",
      "10"
    },
    {"macro twice(x) { x; x; } begin { twice({ printf(\"hi\") }); }", "hihi"},
    {"macro twice(x) { x; x; } begin { twice({ $a = 1; printf(\"%d\", $a); }); }", "11"},
    {"macro add() { 2 } macro ident(add) { add } begin { print(ident(1)); }", "1"},
    {
      "macro second(a, b) { print((a, b)); } macro first(@b, $x) { second(@b, $x); }"
          + " begin { @d = 5; $y = 1; first(@d, $y); clear(@d); }",
      "(5, 1)"
    },
    {"macro cpu() { \"hi\" } begin { print(cpu()); print(cpu); }", "hi\nhi"},
    {"macro cpu(x) { x } begin { print(cpu(\"hi\")); if (cpu() >= 0) { print(1); } }", "hi\n1"},
    {
      "macro add($x) { \"var\" } macro add(@x) { \"map\" } macro add(x) { \"exp\" }"
          + " begin { @x = 1; let $x = 1; print((add(1), add(@x), add($x))); clear(@x); }",
      "(exp, map, var)"
    },
    {
      "macro size($x) { if ($x > 1) { \"big\" } else if ($x) { \"one\" } else { $x = 7; \"none\" }"
          + " } begin { $a = 5; $b = 0; print((size($a), size($b), $b)); }",
      "(big, none, 7)"
    },
    {
      "macro m(t) { sizeof(t) + 2 } macro n(z) { print(m(typeof(z))); } begin { n(typeof(uint64*));"
          + " }",
      "10"
    },
    {"macro cst(a) { (a*)-1 } begin { print((uint64)cst(typeof(uint8)) == (uint64)-1); }", "true"},
    {
      "struct Foo { char m; } macro sof(a, b) { sizeof(a[2]) + sizeof(b*) + sizeof(b) }"
          + " begin { print(sof(typeof(uint64*), typeof(struct Foo))); }",
      "25"
    },
    {"macro first(a) { sizeof(a[1]) } begin { $x = (int16[4])5; print(first($x)); }", "2"},
    {"macro lt(t) { let $x: t = 300; print($x); } begin { lt(typeof(uint64)); }", "300"},
    {"macro cst(t) { (t)300 } begin { print(cst(typeof(uint8))); }", "44"},
    {"macro p(x) { x.1 } begin { $t = (1, 98); print(p($t)); }", "98"},
    {
      "struct Foo { char a; int b; } macro off(t, f) { offsetof(t, f) }"
          + " begin { print(off(typeof(struct Foo), b)); }",
      "4"
    },
    {"struct Foo { int m; } macro s(t) { sizeof(struct t) } begin { print(s(typeof(Foo))); }", "4"},
    {
      "begin { let $a = { let $b = 1; $b }; print(($a, { $s = \"x\"; $s }, { $t = (1, 2); $t }));"
          + " }",
      "(1, x, (1, 2))"
    },
    {
      "begin { if ({ $x = 1; $x } == 1) { print(\"yes\"); } @a[{ $k = 5; $k }] = { $v = 7; $v }; }",
      "yes\n@a[5]: 7"
    },
    {"begin { $i = 0; while ({ $i += 1; $i } < 5) { } print($i); }", "5"},
    {"begin { $x = 1; print($x && { $x = 2; 0 } || { $x += 5; 1 }); print($x); }", "true\n7"},
    {"begin { $a = 1; printf(\"%d %d\\n\", $a, { $a += 1; print(\"in\"); $a }); }", "in\n1 2"},
    {
      "begin { for ($i : 0..3) { @[{ if ($i == 1) { continue; } $i }] = count(); } }",
      "@[0]: 1\n@[2]: 1"
    },
    {"begin { print({ if (pid) { return; } 1 }); print(2); }", ""},
    {"begin { _ = { 1 }; print(sizeof({ $a = (int8)1; print(\"hi\"); $a })); }", "8"},
    {"begin { $x = (int16)1; let $y: typeof($x) = 70000; print(sizeof((typeof($x))5)); }", "8"},
    {
      "begin { $k = (typeof(@x))2; print($k); @x[(int8)2] = \"v\"; print(@x[$k]); }",
      "2\nv\n@x[2]: v"
    },
    {
      "begin { let $k: typeof(@a) = (\"you\", 2); @a[\"hi\", 1] = 5; print($k.1);"
          + " print(sizeof($k)); }",
      "2\n16\n@a[hi, 1]: 5"
    },
    {
      "macro show(x) { if comptime (is_str(x)) { printf(\"%s.\", x); } else { print(x / 2); } }"
          + " begin { show(\"a\"); show(10); }",
      "a.5"
    },
    {"begin { $x = 1; if (is_str($x)) { $x = \"b\"; @m[1] = $x; } print($x); }", "1"},
    {
      "begin { $x = \"a\"; if (!is_integer($x)) { @[1] = $x; } else { @[1] = $x + 1; } }", "@[1]: a"
    },
    {
      "macro twice(x) { is_str(x) ? strlen(x) * 2 : x * 2 } begin { print(twice(\"abc\"));"
          + " print(twice(4)); }",
      "6\n8"
    },
    {"begin { @x = (int16)1; print((typeof(@x))70000); }", "70000\n@x: 1"},
    {"macro k(@m, key) { delete(@m, key); } begin { @a[1] = 1; @a[2] = 2; k(@a, 1); }", "@a[2]: 2"},
    {
      "macro has(m, key) { has_key(m, key) } begin { @a[1] = 1; print(has(@a, 1)); clear(@a); }",
      "true"
    },
    {
      "begin { for ($i : 0..3) { $s = if $i == 0 { \"no\" } else if ($i == 1) { \"one\" } else {"
          + " $t = \"many\"; $t }; print($s) } }",
      "no\none\nmany"
    },
    {"begin { print(if (pid) { if (!pid) { 1 } else { (2) } } else { 3 }); }", "2"},
    {
      "begin { print(1 + if (false) { 1 } else { 2 } * 2); @[if 1 { 7 } else { 8 }] = 1 }",
      "5\n@[7]: 1"
    },
    {"begin { @ = { $a = 5; avg($a) }; @ = { $b = 7; avg($b) } }", "@: 6"},
    {
      "macro size(x) { let $y = x * 2; sum($y) } begin { @[1] = size(3); @[1] = size(4) }",
      "@[1]: 14"
    },
    {"macro hits() { count() } begin { @ = hits(); @ = hits; }", "@: 2"},
    {"macro by(@m, x) { @m[2] = x; } begin { by(@a, sum(4)); by(@a, { sum(3) }); }", "@a[2]: 7"},
    {"begin { @ = { $a = 5; $a + 1 } }", "@: 6"},
    {"begin { if (if (true) { 0 } else { 1 }) { print(1); } else { print(2); } }", "2"},
    {"begin { print(if { $x = 1; $x } == 1 { $y = 2; $y } else { 3 }); }", "2"},
    {"begin { $a = 1; print($a); if (pid) { return $a; } print(2); }", "1"},
    {"begin { $a = 1; return $a++ + { print($a); 1 } }", "2"},
    {
      "begin { print(((bool)\"a\", (bool)\"\", (bool)comm, !(bool)\"b\")); }",
      "(true, false, true, false)"
    },
  };

  private static final String[][] REFUSED = {
    {"fn f($a: int64) { } begin { }", "unexpected \"{\", expected \":\""},
    {"fn f($a): int64 { return 1; } begin { }", "unexpected \")\", expected \":\""},
    {
      "fn f($a: int64): int64 { return f($a); } begin { @ = f(1); }",
      "function \"f\" calls itself: f > f"
    },
    {
      "fn f($a: int64): int64 { if ($a) { return 1; } } begin { @ = f(1); }",
      "function \"f\" can end without a value"
    },
    {"fn f(): void { return 1; } begin { f(); }", "function \"f\" returns no value"},
    {"fn f(): int64 { return; } begin { f(); }", "function \"f\" returns a value"},
    {"fn f(): void { } begin { @ = f(); }", "function \"f\" returns no value"},
    {
      "fn f(): int64 { $x = { return 1; 2 }; return $x; } begin { f(); }",
      "function \"f\" cannot return from here"
    },
    {
      "fn f(): int64 { unroll (2) { return 1; } return 2; } begin { f(); }",
      "function \"f\" cannot return from here"
    },
    {"fn f(): uint8 { return 10000000; } begin { f(); }", "an unsigned number of 8 bits"},
    {"fn f($a: int64): int64 { return $a; } begin { @ = f(1, 2); }", "has 1 parameter; here are 2"},
    {"fn f($a: int64): int64 { return $a; } begin { @ = f(\"x\"); }", "not char[8]"},
    {"fn f($a: int64, $a: int64): int64 { return 1; } begin { }", "has two parameters \"$a\""},
    {"fn f(): int64 { return 1; } fn f(): int64 { return 2; } begin { }", "is defined already"},
    {
      "fn f($a: int64): int64 { "
          + "if ($a == 1) { return 1; } ".repeat(40)
          + "return 2; } begin { @ = f(1); }",
      "returns from more than 32 nested places"
    },
    {"fn f(): int64 { return 1 + comm; } begin { }", "char[16]"},
    {"fn f(): int64 { return nosuch; } begin { }", "\"nosuch\" is not defined"},
    {"fn f(): int64 { $x = 0; } begin { }", "can end without a value"},
    {"fn f($a: int64): int64 { return f($a); } begin { }", "calls itself: f > f"},
    {"fn f($a: int64): string[16] { return $a; } begin { }", "char[16]"},
    {"fn g($a: int64): void { } fn f(): void { g(comm); } begin { }", "char[16]"},
    {"fn f($a: typeof($b), $b: typeof($a)): void { } begin { f(1, 2); }", "has no value here"},
    {"fn f($p: struct nosuch *): void { } begin { }", "unknown type \"struct nosuch\""},
    {"fn f(): void { @a[1] = comm; } begin { @a[1] = 5; }", "map \"@a\" holds values of type s64"},
    {
      "fn f(): int64 { $b = \"x\"; $b = 5; return 1; } begin { f(); }",
      "variable \"$b\" holds values of type char[8], not s32"
    },
    {
      "fn f(): int64 { $b = \"x\"; return $b; } begin { f(); }",
      "the result of \"f\" is of type s64, not char[8]"
    },
    {"macro f() { let $x; $x } begin { $x = 1; print(f()); }", "variable \"$x\" is never assigned"},
    {"import \"x.bt\"; begin { }", "imported files are not read here"},
    {"import x; begin { }", "an import names a file in quotes"},
    {"macro set($x) { $x } begin { $a = 1; set($a, 1); }", "has 1 parameter; here are 2"},
    {"macro set($x, $x) { $x } begin { }", "has two parameters \"$x\""},
    {"macro set($x) { 1 } macro set($y) { 2 } begin { }", "\"set($y)\" is defined already"},
    {
      "macro a(x) { x + c(x) } macro b(x) { a(x) } macro c(x) { b(x) } begin { print(c(1)); }",
      "expands to itself: c > b > a > c"
    },
    {
      "macro set($x) { $x } begin { @a = 1; set(@a); }", "takes a variable as \"$x\"; this is a map"
    },
    {"macro f($x) { $x } begin { f(1 + 1); }", "takes a variable as \"$x\"; this is an expression"},
    {"macro f(@x) { @x } begin { $a = 0; f($a); }", "takes a map as \"@x\"; this is a variable"},
    {
      "macro f() { @x[1] = 1; } begin { @x[0] = 0; f(); }",
      "map \"@x\" is not passed to macro \"f\""
    },
    {"macro f() { $x } begin { $x = 1; print(f()); }", "has no value here"},
    {"macro f($x) { $x += 1; } begin { $a = 1; $b = f($a); }", "macro \"f\" has no value"},
    {"macro f(pid) { } begin { }", "\"pid\" is built in"},
    {"macro f(x) { g(x) } begin { print(f(1)); }", "\"g\" is not defined"},
    {"begin { print(typeof(uint64)); }", "typeof is a type, not a value"},
    {"macro f(x) { print(1 } begin { }", "unexpected"},
    {"macro f(x) { x } begin { print(1 }", "unexpected"},
    {"macro 5 { } begin { }", "unexpected"},
    {"begin { macro f() { } }", ""},
    {
      "macro a(x) { x + x } begin { print(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(1)))))))))))))))); }",
      "expands macros and functions more than"
    },
    {"begin { $x = { count() }; }", "\"count\" aggregates"},
    {"macro a(x) { b(x) } macro b(x) { a(x) } begin { @ = a(1); }", "expands to itself: a > b > a"},
    {"begin { $x = if (pid) { 2 }; }", "expected \"else\""},
    {"begin { $x = if (pid) { 2; } else { 3 }; }", "this block has no value"},
    {
      "begin { $x = if (pid) { 2 } else { \"a\" }; }",
      "this is a char[8], and the other value an s32"
    },
    {"begin { $x = if \"a\" { 2 } else { 3 }; }", "a condition must be a number"},
    {"begin { return \"x\"; }", "what is returned must be a number"},
    {"begin { return print(1); }", "what is returned must be a number"},
    {"macro f(t) { sizeof(t[0]) } begin { print(f(typeof(int8))); }", "an array of 0 elements"},
    {"begin { static_assert(1, 2); }", "the message of \"static_assert\" must be a string"},
  };

  @TestFactory
  Stream<DynamicTest> outputs() {
    return Stream.of(RUN).map(row -> DynamicTest.dynamicTest(row[0], () -> check(row[0], row[1])));
  }

  private static void check(String script, String expected) {
    String output = LayoutTest.run(script, Layout.BPFTRACE).replaceAll("\n+", "\n").strip();
    assertThat(output).isEqualTo(expected);
    String printed = ScriptPrinter.print(PlyScript.parse(script));
    assertThat(LayoutTest.run(printed, Layout.BPFTRACE).replaceAll("\n+", "\n").strip())
        .as(printed)
        .isEqualTo(expected);
  }

  @TestFactory
  Stream<DynamicTest> errors() {
    return Stream.of(REFUSED)
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row[0],
                    () ->
                        assertThatThrownBy(() -> LayoutTest.run(row[0], Layout.BPFTRACE))
                            .isInstanceOf(CompilationException.class)
                            .hasMessageContaining(row[1])));
  }
}
