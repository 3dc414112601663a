package dev.ply.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;

class PositionTest {
  private static void assertProbe(String script, String start) {
    assertThat(Position.of(script)).isEqualTo(new Position.Probe(start));
  }

  @Test
  void clausesBeginWithProbes() {
    assertProbe("", "");
    assertProbe("kpr", "kpr");
    assertProbe("kprobe:vfs_read, kprobe:vfs_w", "kprobe:vfs_w");
    assertProbe("BEGIN { @ = 1; } tracepoint:sched:", "tracepoint:sched:");
    assertProbe("// kprobe:x {\nusdt:/bin/x:", "usdt:/bin/x:");
    assertProbe("/* { */uprobe:\"/tmp/a b\":ma", "uprobe:\"/tmp/a b\":ma");
    assertProbe("uprobe:\"/tmp/a, b", "uprobe:\"/tmp/a, b");
    assertProbe("BEGIN { print(\"}\"); } k", "k");
  }

  @Test
  void fieldsAreThoseOfTheClausesFirstProbe() {
    String probe = "tracepoint:sched:sched_switch";
    for (String between :
        new String[] {" { @[args.", " / args->", " / args.a > 1 / { print(data->"}) {
      assertThat(Position.of(probe + between + "next"))
          .isEqualTo(new Position.Field(probe, "next"));
    }
    assertThat(Position.of("BEGIN { } " + probe + ", kprobe:f { if (1) { } args."))
        .isEqualTo(new Position.Field(probe, ""));
  }

  @Test
  void otherNamesAreTheLanguages() {
    assertThat(Position.of("kprobe:f { @[com")).isEqualTo(new Position.Word("com"));
    assertThat(Position.of("kprobe:f / pi")).isEqualTo(new Position.Word("pi"));
    assertThat(Position.of("uprobe:/bin/x:f / pi")).isEqualTo(new Position.Word("pi"));
    assertThat(Position.of("kprobe:f { @ = a>b")).isEqualTo(new Position.Word("b"));
  }

  @Test
  void thatIsNotSoInStringsCommentsVariablesAndMembers() {
    for (String script :
        new String[] {
          "BEGIN { print(\"com",
          "BEGIN { // com",
          "BEGIN { /* com",
          "BEGIN { $com",
          "BEGIN { @com",
          "BEGIN { $x->com",
          "BEGIN { 12",
          "kprobe:f ",
          "kprobe:f { } // ",
        }) {
      assertThat(Position.of(script)).as(script).isInstanceOf(Position.Other.class);
    }
  }

  @Property
  void anyTextHasAPosition(@ForAll @CharRange(from = '\t', to = '~') String script) {
    assertThat(script).endsWith(Position.of(script).start());
  }
}
