package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.analysis.Analyzer;
import dev.ply.analysis.typing.MapContent;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.bpf.generate.Scenarios;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.generate.Surroundings;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import dev.ply.machine.Architecture;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What the analysis finds out about maps. */
class InferenceTest {
  private static final Analyzer ANALYZER = new Analyzer(Stage.target(Architecture.X86_64));

  private static MapSymbol map(String name, String script) {
    return ANALYZER.analyze(PlyScript.parse(script)).map(name);
  }

  private static Type value(String script) {
    return map("m", script).content().type();
  }

  @Test
  void aMapIsTypedWhereverItIsStored() {
    assertThat(value("BEGIN { print(m[1]); } END { m[1] = nsecs; }")).isEqualTo(IntType.U64);
    assertThat(value("BEGIN { m[1] = b[1]; b[1] = c[1]; c[1] = 1; }")).isEqualTo(IntType.S32);
    assertThat(value("BEGIN { c[1] = 1; b[1] = c[1]; m[1] = b[1]; }")).isEqualTo(IntType.S32);
  }

  @Test
  void aMapKnownByItselfAloneTakesTheRestOfTheExpression() {
    assertThat(value("BEGIN { m[1] = m[1] + 1; }")).isEqualTo(IntType.S32);
    assertThat(value("BEGIN { m[1] = nsecs - m[1]; }")).isEqualTo(IntType.U64);
  }

  @Test
  void theWiderNumberAndTheLongerTextWin() {
    assertThat(value("BEGIN { m[1] = 1; m[1] = nsecs; }")).isEqualTo(IntType.U64);
    assertThat(value("BEGIN { m[1] = nsecs; m[1] = 1; }")).isEqualTo(IntType.U64);
    assertThat(value("BEGIN { m[1] = \"short\"; m[1] = comm; }").size()).isEqualTo(16);
    assertThat(map("m", "BEGIN { m[1, \"a\"] = 1; m[nsecs, comm] = 1; }").keyType().size())
        .isEqualTo(24);
  }

  @Test
  void ofTwoNumbersOfASizeTheFirstDecidesHowAMapPrints() {
    assertThat(value("BEGIN { m[1] = 1; m[1] = pid; }")).isEqualTo(IntType.S32);
    assertThat(value("BEGIN { m[1] = pid; m[1] = 1; }").name()).isEqualTo(":pid");
  }

  @Test
  void anAddressIsChangedLikeANumberWhoeverStoresFirst() {
    String change = "BEGIN { @m &= 1; @m++; } ";
    String store = "kprobe:f { @m = uptr(arg0); } ";
    assertThat(map("@m", "BEGIN { @m = 0; } " + change + store).content().type().size())
        .isEqualTo(8);
    assertThat(map("@m", store + change + "BEGIN { @m = 0; }").content().type().size())
        .isEqualTo(8);
  }

  @Test
  void aDistributionHasRoomForAllItsValues() {
    assertThat(map("@", "t:test:widths { @ = quantize(data->u32); @ = quantize(data->s32); }"))
        .extracting(MapSymbol::content)
        .isEqualTo(new MapContent.Aggregated(AggregateFunctions.QUANTIZE, IntType.S64));
    assertThat(map("@", "t:test:widths { @ = quantize(data->u8); @ = quantize(data->s32); }"))
        .extracting(MapSymbol::content)
        .isEqualTo(new MapContent.Aggregated(AggregateFunctions.QUANTIZE, IntType.S32));
  }

  @Test
  void keysOfAggregationsAreWideSoThatNumbersMeet() {
    assertThat(map("@", "BEGIN { @[1, pid] = count(); }").keys())
        .extracting(Type::size)
        .containsExactly(8, 8);
  }

  @Provide
  Arbitrary<Script> scripts() {
    return Scenarios.scripts(Surroundings.UNSEEN);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void theOrderOfClausesDoesNotMatter(@ForAll("scripts") Script script, @ForAll Random random) {
    List<Clause> shuffled = new ArrayList<>(script.clauses());
    Collections.shuffle(shuffled, random);
    assertThat(shapes(script.withClauses(shuffled))).isEqualTo(shapes(script));
  }

  /**
   * Returns what does not depend on who comes first. How numbers of a size print does, and with it
   * the sign of what is made of them.
   */
  private static Map<String, String> shapes(Script script) {
    Map<String, String> shapes = new TreeMap<>();
    for (MapSymbol map : ANALYZER.analyze(script).maps()) {
      String content =
          map.content() instanceof MapContent.Aggregated aggregated
              ? aggregated.function().canonicalName()
              : "plain";
      if (!content.equals("quantize")) {
        content += map.content().type().size();
      }
      shapes.put(map.name(), map.keys().stream().map(Type::size).toList() + " " + content);
    }
    return shapes;
  }
}
