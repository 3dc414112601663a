package dev.ply.ir;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class KernelPlaceTest {
  @Property
  void aFunctionsNameIsOfLettersDigitsAndAFewSigns(@ForAll("names") String text) {
    assertThat(KernelPlace.Function.isName(text))
        .isEqualTo(text.matches("[A-Za-z_.$][A-Za-z0-9_.$]*"));
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings().withChars("azAZ_.$09-+: ä").ofMaxLength(6);
  }
}
