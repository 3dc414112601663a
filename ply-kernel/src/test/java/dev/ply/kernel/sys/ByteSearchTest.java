package dev.ply.kernel.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class ByteSearchTest {
  @Property
  void findsWhatAStringFinds(
      @ForAll @CharRange(from = 'a', to = 'c') @StringLength(max = 40) String text,
      @ForAll @CharRange(from = 'a', to = 'c') @StringLength(max = 4) String sought) {
    ByteSearch search = search(text, sought);
    for (int from = 0; from <= text.length(); from++) {
      assertThat(search.next(from)).isEqualTo(text.indexOf(sought, from));
    }
  }

  @Test
  void theTextEndsWhereItEnds() {
    assertThat(search("ab", "\0").next(0)).isNegative();
    assertThatThrownBy(() -> search("ab", "a").next(3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("3 in a text of 2 bytes");
  }

  private static ByteSearch search(String text, String sought) {
    return new ByteSearch(
        text.getBytes(StandardCharsets.ISO_8859_1), sought.getBytes(StandardCharsets.ISO_8859_1));
  }
}
