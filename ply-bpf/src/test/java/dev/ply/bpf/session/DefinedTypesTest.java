package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.ir.IrPrinter;
import dev.ply.lang.PlyScript;
import dev.ply.lang.print.ScriptPrinter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Structures, unions and enumerations that a script defines. */
class DefinedTypesTest {
  private static final long FIRST = 0xffff_8880_0000_1000L;
  private static final long SECOND = 0xffff_8880_0000_2000L;

  private static final String ITEM =
      """
      struct item {
        int a;
        char name[16];
        struct item *next;
        unsigned char low:3, high:5;
        struct { long q; short r; } in;
        union { int u; char v[4]; };
        struct list_head l;
        const u16 numbers[3];
      };
      """;

  private static BtfTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int unused = btf.typedef("pid_t", s32);
    int head = unused + 1;
    int written =
        btf.struct("list_head", 16, Member.at(0, "next", head + 1), Member.at(8, "prev", head + 1));
    assertThat(written).isEqualTo(head);
    int unused0 = btf.pointer(head);
    int unused1 = btf.enumeration("state", 4, false, "STATE_OPEN", 1);
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static String run(String script) {
    StringBuilder text = new StringBuilder();
    ByteBuffer first = ByteBuffer.allocate(88).order(ByteOrder.LITTLE_ENDIAN);
    first.putInt(0, -7).put(4, "first".getBytes(StandardCharsets.UTF_8)).putLong(24, SECOND);
    ByteBuffer second = ByteBuffer.allocate(88).order(ByteOrder.LITTLE_ENDIAN);
    second.put(4, "second".getBytes(StandardCharsets.UTF_8)).put(32, (byte) (21 << 3 | 5));
    second.putLong(40, 1L << 40).putShort(48, (short) -3).putInt(56, 0x41424344);
    second.putShort(84, (short) 99);
    SimulatedTarget target = SimulatedTarget.create().withTypes(types());
    try (SimulatedTracer tracer = SimulatedTracer.create(target);
        Session running = tracer.prepare(PlyScript.parse(script)).printTo(text::append).start()) {
      assertThat(running.end()).isEmpty();
      tracer.fire(
          Firing.kprobe("f")
              .arg(0, FIRST)
              .memory(FIRST, first.array())
              .memory(SECOND, second.array()));
    }
    return text.toString();
  }

  private static String withItem(String statements) {
    return run(ITEM + "kprobe:f { $i = (struct item *)arg0; " + statements + " }");
  }

  @Test
  void structuresAreLaidOutAsByC() {
    assertThat(
            withItem(
                "printf(\"%d %d %d %d %d %d %d\", sizeof(struct item), offsetof(struct item, next),"
                    + " offsetof(struct item, in.r), offsetof(struct item, u), offsetof(struct"
                    + " item, v), offsetof(struct item, l), offsetof(struct item, numbers));"))
        .isEqualTo("88 24 48 56 56 64 80");
    assertThat(
            run(
                "struct p { u8 a; u32 b; u16 c[2]; } __attribute__((packed));"
                    + " struct __attribute__((packed)) q { u8 a; pid_t p; };"
                    + " union u { u8 a; u64 b; }; struct b { u32 a:20; u32 c:20; };"
                    + " kprobe:f { printf(\"%d %d %d %d\", sizeof(struct p), sizeof(struct q),"
                    + " sizeof(union u), sizeof(struct b)); }"))
        .isEqualTo("9 5 8 8");
  }

  @Test
  void membersAreRead() {
    assertThat(withItem("printf(\"%d %s %s\", $i->a, $i->name, str($i->next->name));"))
        .isEqualTo("-7 first second");
    assertThat(
            withItem(
                "$n = $i->next; printf(\"%d %d %d %d %x %c %d\", $n->low, $n->high, $n->in.q >> 40,"
                    + " $n->in.r, $n->u, $n->v[0], $n->numbers[2]);"))
        .isEqualTo("5 21 1 -3 41424344 D 99");
  }

  @Test
  void floatingPointMembersAreTheirBits() {
    assertThat(
            run(
                "struct point { char c; float x; double y; union { float f; int i; } u; };"
                    + " BEGIN { printf(\"%d %d %d %d\\n\", sizeof(struct point),"
                    + " offsetof(struct point, x), offsetof(struct point, y),"
                    + " offsetof(struct point, u)); $n = 0x3f800000;"
                    + " printf(\"%x\\n\", (*(struct one *)&$n).x[0]); } struct one { float x; };"))
        .isEqualTo("24 4 8 16\n3f800000\n");
  }

  @Test
  void enumeratorsAreConstants() {
    assertThat(
            run(
                "enum kind { A, b = 5, LAST, NEGATIVE = -2 }; kprobe:f { printf(\"%d %d %d %d %d\","
                    + " A, b, LAST, NEGATIVE, STATE_OPEN); }"))
        .isEqualTo("0 5 6 -2 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "32+1 | 33",
        "2 + 3*4 - (6 >> 1) | 11",
        "~0 & 7 | 7",
        "1 << 4 ^ 3 & 2 | 18",
        "THREE * 2 | 6",
        "-(-5) % THREE | 2",
        "0x10 / 4 | 4",
      })
  void lengthsAreConstantsOfC(String length, int bytes) {
    assertThat(
            run(
                "enum { THREE = 1 + 2 }; struct c { char c["
                    + length
                    + "]; }; kprobe:f, { printf(\"%d\", sizeof(struct c)); }"))
        .isEqualTo("" + bytes);
  }

  @Test
  void aDefinitionComesBeforeTheKernels() {
    assertThat(
            run(
                "struct list_head { u8 other; };"
                    + " kprobe:f { printf(\"%d\", sizeof(struct list_head)); }"))
        .isEqualTo("1");
  }

  @Test
  void definitionsArePrintedAsTheyAreRead() {
    String script = ITEM + "enum kind { A, b = 5 };\nkprobe:f { print(b); }\n";
    assertThat(IrPrinter.print(PlyScript.parse(ScriptPrinter.print(PlyScript.parse(script)))))
        .isEqualTo(IrPrinter.print(PlyScript.parse(script)));
  }

  @Test
  void wrongDefinitionsAreReported() {
    assertThatThrownBy(() -> run("struct x { int 3; }; kprobe:f { }"))
        .hasMessageContaining("unexpected \"3\" in the definition of a type");
    assertThatThrownBy(() -> run("enum x { A B }; kprobe:f { }"))
        .hasMessageContaining("unexpected \"B\" in the definition of a type");
    assertThatThrownBy(() -> run("struct x { foo_t a; }; kprobe:f { }"))
        .hasMessageContaining("struct x has a member of type \"foo_t\", which is unknown");
    assertThatThrownBy(() -> run("struct x { struct x a; }; kprobe:f { }"))
        .hasMessageContaining("struct x has a member of type \"struct x\", which is unknown");
    assertThatThrownBy(() -> run("struct x kprobe:f { }"))
        .hasMessageContaining("unexpected \":\" in the definition of a type");
  }
}
