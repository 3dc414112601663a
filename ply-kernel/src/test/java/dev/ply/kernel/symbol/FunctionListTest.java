package dev.ply.kernel.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.selector.Glob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionListTest {
  private static List<String> names(
      Function<byte[], FunctionList> list, String text, String pattern) {
    List<String> names = new ArrayList<>();
    list.apply(text.getBytes(StandardCharsets.ISO_8859_1))
        .visit(new Glob(pattern), (name, module, line) -> names.add(name + module));
    return names;
  }

  @Test
  void namesStandBehindOtherWordsAndBeforeTheModule() {
    assertThat(names(FunctionList::ofKallsyms, "0 T a\n1 t ab\t[m]\n2 T b", "a*"))
        .containsExactly("a", "abm");
    assertThat(names(FunctionList::ofTracer, "a\nab [m]\n", "*b")).containsExactly("abm");
    assertThat(names(FunctionList::ofBlacklist, "0-1\tab\n1-2\tb\n", "a*")).containsExactly("ab");
  }

  @Test
  void linesThatAreTooShortHaveNone() {
    assertThat(names(FunctionList::ofKallsyms, "\n0\n0 T\nx T a\n0 T", "*")).containsExactly("a");
    assertThat(names(FunctionList::ofKallsyms, "", "*")).isEmpty();
    assertThat(names(FunctionList::ofTracer, "\n\na [", "*")).containsExactly("a");
  }

  @Property
  void noNameIsMissedAndNoneIsFoundTwice(
      @ForAll("names") List<String> names, @ForAll("patterns") String pattern) {
    Glob glob = new Glob(pattern);
    List<String> wanted = names.stream().filter(glob::matches).toList();
    assertThat(names(FunctionList::ofTracer, lines(names, "", " [aab]"), pattern))
        .isEqualTo(wanted.stream().map(name -> name + "aab").toList());
    assertThat(names(FunctionList::ofKallsyms, lines(names, "aab a ", "\t[aab]"), pattern))
        .isEqualTo(wanted.stream().map(name -> name + "aab").toList());
    assertThat(names(FunctionList::ofBlacklist, lines(names, "aab\t", ""), pattern))
        .isEqualTo(wanted);
  }

  private static String lines(List<String> names, String before, String behind) {
    return String.join("\n", names.stream().map(name -> before + name + behind).toList());
  }

  @Provide
  Arbitrary<List<String>> names() {
    return Arbitraries.strings().withChars("abc").ofMinLength(1).ofMaxLength(5).list();
  }

  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.strings().withChars("aabbc*?").ofMinLength(1).ofMaxLength(5);
  }

  @Test
  void filesAreReadWholeWhateverTheirSize(@TempDir Path directory) throws IOException {
    byte[] content = new byte[(1 << 21) + 1];
    Arrays.fill(content, (byte) 'x');
    Path file = directory.resolve("list");
    for (int size : new int[] {0, 1, 1 << 20, content.length}) {
      byte[] part = Arrays.copyOf(content, size);
      Files.write(file, part);
      assertThat(FunctionList.read(file)).isEqualTo(part);
    }
  }
}
