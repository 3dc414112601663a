package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Arrays and structures as values of variables, maps, keys and tuples. */
class AggregateValuesTest {
  private static final long ADDRESS = 0xffff_8880_0000_1000L;

  private static final String ITEM =
      """
      struct item {
        int x[4];
        int y[2][2];
        char name[8];
        unsigned char low:3, high:5;
        struct { long q; short r[3] } in
      };
      """;

  /** Returns what statements print in bpftrace's layout. */
  private static String run(String statements) {
    return run("", statements);
  }

  private static String run(String types, String statements) {
    ByteBuffer item = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 8; i++) {
      item.putInt(i * 4, i + 1);
    }
    item.put(32, (byte) 'a').put(33, (byte) 'b').put(40, (byte) (21 << 3 | 5));
    item.putLong(48, -9).putShort(56, (short) 10).putShort(58, (short) 11);
    item.putShort(60, (short) 12);
    String script = types + ITEM + "kprobe:f { $p = (struct item *)arg0; " + statements + " }";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (SimulatedTracer tracer = SimulatedTracer.create(SimulatedTarget.create());
        PreparedTrace trace =
            tracer.prepare(PlyScript.parse(script)).writeTo(bytes, Layout.BPFTRACE);
        Session session = trace.start()) {
      tracer.fire(Firing.kprobe("f").arg(0, ADDRESS).memory(ADDRESS, item.array()));
      session.stop();
    }
    return TextBytes.decode(bytes.toByteArray()).strip();
  }

  @Test
  void variablesAndMapsHoldArrays() {
    assertThat(run("$a = $p->x; print($a); print(($a[1], $a[3 - 1]));"))
        .isEqualTo("[1,2,3,4]\n(2, 3)");
    assertThat(run("@m[0] = $p->x; $b = @m[0]; print((@m[0][3], $b[0], @m[1][3]));"))
        .isEqualTo("(4, 1, 0)");
    assertThat(run("$b = $p->y; $row = $b[1]; print(($b, $row, $row[0], $b[1][1]));"))
        .isEqualTo("([[5,6],[7,8]], [7,8], 7, 8)");
  }

  @Test
  void elementsOutsideOfAnArrayAreZero() {
    assertThat(run("$a = $p->x; $i = 0; while ($i < 6) { printf(\"%d \", $a[$i]); $i++; }"))
        .isEqualTo("1 2 3 4 0 0");
    assertThat(run("$b = $p->y; $i = 1; $j = -1; print(($b[$i], $b[$i][0], $b[$j], $b[$i][$j]));"))
        .isEqualTo("([7,8], 7, [0,0], 0)");
    assertThatThrownBy(() -> run("$a = $p->x; print($a[4]);"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("no element 4");
  }

  @Test
  void arraysAreKeysAndPartsOfTuples() {
    assertThat(run("@k[$p->x, 5] = 6; $a = $p->x; print(@k[$a, 5]); $t = (1, $a); print($t.1[2]);"))
        .isEqualTo("6\n3");
    assertThat(run("$t = (1, 2, \"x\"); print($t[1 + 1]); $s = \"abc\"; print($s[1]);"))
        .isEqualTo("x\n98");
  }

  @Test
  void arraysAndTuplesOfThemAreCompared() {
    assertThat(
            run(
                "$a = $p->x; $b = $p->y; $t = (1, $a);"
                    + " print(($a == $p->x ? 1 : 2, $b[0] != $b[1] ? 1 : 2, $t == (1, $p->x) ? 1 :"
                    + " 2));"))
        .isEqualTo("(1, 1, 1)");
    assertThatThrownBy(() -> run("if ($p->x == $p->y) { }"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("has other elements than");
  }

  @Test
  void variablesAndMapsHoldStructures() {
    assertThat(run("$s = *$p; print(($s.x[2], $s.name, $s.low, $s.high, $s.in.q, $s.in.r[1]));"))
        .isEqualTo("(3, ab, 5, 21, -9, 11)");
    assertThat(run("@s[1] = $p->in; $i = @s[1]; print($i); print((@s[1].q, $i.r, 1));"))
        .isEqualTo("{ .q = -9, .r = [10,11,12] }\n(-9, [10,11,12], 1)");
    assertThat(run("$s = *$p; $s = *$p; print($s);"))
        .isEqualTo(
            "{ .x = [1,2,3,4], .y = [[5,6],[7,8]], .name = ab, .low = 5, .high = 21,"
                + " .in = { .q = -9, .r = [10,11,12] } }");
  }

  @Test
  void recordsHaveNamedElements() {
    assertThat(
            run("$r = (a=1, b=\"x\", c=(d=$p->x, e=*$p)); print($r.c.d[1]); print(($r.b, $r.a));"))
        .isEqualTo("2\n(x, 1)");
    assertThat(
            run(
                "@k[(a=1, b=\"xy\"), 2] = (c=3, d=(4, 5)); print(@k[(b=\"xy\", a=1), 2].d.1);"
                    + " print(@k);"))
        .isEqualTo("5\n@k[{ .a = 1, .b = xy }, 2]: { .c = 3, .d = (4, 5) }");
    assertThat(run("@n[(a=1)] = 2; for ($kv : @n) { print($kv.0.a + $kv.1); }")).isEqualTo("3");
  }

  @Test
  void recordsOfTheSameNamesAreOfOneType() {
    assertThat(
            run(
                "$r = (a=1, b=\"a string that is long\"); $r = (b={ print(8); \"x\" }, a={"
                    + " print(9); 2 }); print($r); print(($r == (b=\"x\", a=2), $r == (a=1,"
                    + " b=\"x\")));"))
        .isEqualTo("8\n9\n{ .a = 2, .b = x }\n(true, false)");
    assertThatThrownBy(() -> run("$r = (a=1); $r = (b=1);"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("(a=s64), not (b=s64)");
    assertThatThrownBy(() -> run("print((a=1, a=2)); print((a=1)[0]); print((a=1).b);"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("the record has two elements \"a\"")
        .hasMessageContaining("the elements of a record have names")
        .hasMessageContaining("the record has no element \"b\"");
  }

  @Test
  void truthValuesAreShownAsWords() {
    assertThat(run("print((true, 1 == 2)); $t = $p->low == 5; print($t); print((bool)7);"))
        .isEqualTo("(true, false)\ntrue\ntrue");
    assertThat(run("$n = true; $n = 5; print(((1 == 1) + (2 == 2), $n, true ? false : 7 == 7));"))
        .isEqualTo("(2, 5, false)");
  }

  @Test
  void castNumbersKeepTheirSizeInTuples() {
    assertThat(run("$t = ((int8)-1, (int16)2, (uint32)3); print(sizeof($t)); print($t);"))
        .isEqualTo("8\n(-1, 2, 3)");
    assertThat(run("print(sizeof((1, (int8)2))); print(sizeof(((int32)1, $p->x)));"))
        .isEqualTo("16\n20");
    assertThat(run("$t = ((int8)-1, 5); $t = (-2, 6); print($t); $t = ((int8)-3, 7); print($t);"))
        .isEqualTo("(-2, 6)\n(-3, 7)");
    assertThat(run("$t = ((uint8)200, 1); $u = ((int8)-1, 2); $t = $u; print($t);"))
        .isEqualTo("(-1, 2)");
    assertThat(run("$t = ((uint8)255, 1); print($t == ((int8)-1, 1)); print($t == (255, 1));"))
        .isEqualTo("false\ntrue");
    assertThat(run("$t = ((int8)-1, (uint16)9); @[$t] = count(); @[-1, 9] = count(); print(@);"))
        .isEqualTo("@[-1, 9]: 2");
    assertThat(run("@ = ((int8)1, ((int8)-20, (int8)30)); $t = @; print($t.1.0, @.1);"))
        .isEqualTo("-20, (-20, 30)");
  }

  @Test
  void pointersPointToArrays() {
    assertThat(
            run("$a = (int32[4] *)arg0; print(*$a); print(((*$a)[1], sizeof(*$a), sizeof($a)));"))
        .isEqualTo("[1,2,3,4]\n(2, 16, 8)");
    assertThat(run("let $a : int32[2] *; $a = (int32[2] *)arg0; $a += 1; print(*$a);"))
        .isEqualTo("[3,4]");
    assertThat(run("$x = $p->x; $a = (int32[4] *)&$x; print((*$a)[3]);")).isEqualTo("4");
    assertThat(run("macro f(t) { (t *)arg0 } ", "print(*f(typeof(int32[3])));"))
        .isEqualTo("[1,2,3]");
  }

  @Test
  void structuresInTuplesAreAlignedAsTheirMembers() {
    String two = "struct two { int m; int n; }; struct one { char c; }; ";
    assertThat(
            run(two, "$t = ((int32)9, *((struct two *)arg0)); print(sizeof($t)); print($t.1.n);"))
        .isEqualTo("12\n2");
    assertThat(run(two, "$t = ((int8)9, *((struct one *)arg0)); print(sizeof($t)); print($t);"))
        .isEqualTo("2\n(9, { .c = 1 })");
    assertThat(run("$t = ((int32)9, $p->in); print(sizeof($t)); print($t.1.q); @ = $t;"))
        .startsWith("24\n-9");
  }
}
