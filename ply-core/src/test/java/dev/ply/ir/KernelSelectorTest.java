package dev.ply.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.probe.KernelProbe;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.KernelSelector;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class KernelSelectorTest {
  @Property
  void aFunctionsNameIsOfLettersDigitsAndAFewSigns(@ForAll("names") String text) {
    assertThat(KernelSelector.Function.isName(text))
        .isEqualTo(text.matches("[A-Za-z_.$][A-Za-z0-9_.$]*"));
  }

  @Property
  void aModulesNameIsOfLettersAndDigits(@ForAll("names") String text) {
    assertThat(KernelSelector.Function.isModule(text)).isEqualTo(text.matches("[A-Za-z0-9_]+"));
  }

  @Property
  void anOffsetIsInDecimalOrInHexadecimal(@ForAll("offsets") String offset) {
    Optional<Long> bytes = Optional.empty();
    if (offset.matches("[0-9]{1,18}")) {
      bytes = Optional.of(Long.parseLong(offset));
    } else if (offset.matches("0[xX][0-9a-fA-F]{1,15}")) {
      bytes = Optional.of(Long.parseLong(offset.substring(2), 16));
    }
    KernelSelector.Function function = new KernelSelector.Function("f");
    if (bytes.isEmpty()) {
      assertThatThrownBy(() -> KernelSelector.parse("f+" + offset))
          .isInstanceOf(InvalidSelectorException.class);
    } else {
      assertThat(KernelSelector.parse("f+" + offset))
          .isEqualTo(
              bytes.get() == 0 ? function : new KernelSelector.Inside(function, bytes.get()));
    }
  }

  @Property
  void anAddressIsInHexadecimal(@ForAll("offsets") String text) {
    if (text.matches("0[xX][0-9a-fA-F]{1,16}")) {
      assertThat(KernelSelector.parse(text))
          .isEqualTo(new KernelSelector.Address(Long.parseUnsignedLong(text.substring(2), 16)));
    } else if (text.matches("[0-9].*")) {
      assertThatThrownBy(() -> KernelSelector.parse(text))
          .isInstanceOf(InvalidSelectorException.class);
    }
  }

  @Property
  void aKretprobeMayTellHowManyCalls(@ForAll("offsets") String calls) {
    String text = "f:" + calls;
    boolean isNumber = calls.matches("[0-9]{1,9}");
    if (isNumber
        && Integer.parseInt(calls) >= 1
        && Integer.parseInt(calls) <= KernelProbe.Kretprobe.MOST_ACTIVE) {
      assertThat(KernelProbe.Kretprobe.parse(text))
          .isEqualTo(
              new KernelProbe.Kretprobe(
                  new KernelSelector.Function("f"), OptionalInt.of(Integer.parseInt(calls))));
    } else if (KernelSelector.Function.isName(calls)) {
      // The module comes first.
      assertThat(KernelProbe.Kretprobe.parse(text))
          .isEqualTo(new KernelProbe.Kretprobe(KernelSelector.parseEntry(text)));
    } else {
      assertThatThrownBy(() -> KernelProbe.Kretprobe.parse(text))
          .isInstanceOf(InvalidSelectorException.class);
    }
  }

  @Property
  void aConstantsNameHasCapitals(@ForAll("names") String text) {
    assertThat(Expr.NamedConstant.isName(text)).isEqualTo(text.matches("[A-Z][A-Z0-9_]+"));
  }

  @Provide
  Arbitrary<String> offsets() {
    Arbitrary<String> digits = Arbitraries.strings().withChars("0189afAF").ofMaxLength(19);
    Arbitrary<String> any = Arbitraries.strings().withChars("01xXafg/ \u0663").ofMaxLength(4);
    return Arbitraries.oneOf(digits, digits.map("0x"::concat), digits.map("0X"::concat), any);
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings().withChars("azAZ_.$09-+: ä").ofMaxLength(6);
  }
}
