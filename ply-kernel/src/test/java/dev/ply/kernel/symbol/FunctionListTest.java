package dev.ply.kernel.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.ir.Glob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FunctionListTest {
  private static List<String> names(String text, int wordsBefore, String pattern) {
    List<String> names = new ArrayList<>();
    new FunctionList(text.getBytes(StandardCharsets.ISO_8859_1), wordsBefore)
        .visit(new Glob(pattern), (name, module, line) -> names.add(name + module));
    return names;
  }

  @Test
  void namesStandBehindOtherWordsAndBeforeTheModule() {
    assertThat(names("0 T a\n1 t ab\t[m]\n2 T b", 2, "a*")).containsExactly("a", "abm");
    assertThat(names("a\nab [m]\n", 0, "*b")).containsExactly("abm");
  }

  @Test
  void linesThatAreTooShortHaveNone() {
    assertThat(names("\n0\n0 T\nx T a\n0 T", 2, "*")).containsExactly("a");
    assertThat(names("", 2, "*")).isEmpty();
  }
}
