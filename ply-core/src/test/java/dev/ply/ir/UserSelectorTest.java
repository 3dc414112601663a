package dev.ply.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.selector.Glob;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserSelectorTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "c:malloc",
        "malloc",
        "c:malloc+8",
        "c:0x31f00",
        "./dir/app*:f",
        "*:f*",
        "./app:cpp:\"Server::run(int)\"",
        "./app:\"net/http.(*conn).serve\"",
        "./app:\"operator+\"+4",
        "./app:\"[[:alpha:]]*\"",
      })
  void aPlaceIsWrittenAsItIsRead(String text) {
    assertThat(UserSelector.parse(text).text()).isEqualTo(text);
  }

  @Property
  void whatNeedsNoQuotesIsAFunctionsName(@ForAll String text, @ForAll char within) {
    for (String name : List.of(text, text + within, "f" + within, "" + within)) {
      if (UserSelector.Function.isName(name)) {
        assertThat(new UserSelector.Function("c", name).name()).isEqualTo(name);
      }
    }
  }

  @Test
  void aNameHasNoControlCharacters() {
    for (String name : List.of("ma\u0012n", "\u0000", "f\u0085", "\u2003", "")) {
      assertThat(UserSelector.Function.isName(name)).as(name).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "c:\"malloc\", c:malloc",
    "c:\"malloc\"+0, c:malloc",
    "c:16, c:0x10",
    "\"/opt/a\":f, /opt/a:f",
    ":malloc, malloc",
    "cpp:\"f\", cpp:\"f\"",
  })
  void severalTextsAreOnePlace(String text, String place) {
    assertThat(UserSelector.parse(text).text()).isEqualTo(place);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/bin/bash",
        "c:",
        "c:\"f",
        "c:\"f\"g",
        "\"c:f",
        "c:a:b",
        "c:0x",
        "c:f*+4",
        "c:cpp:\"f\"+4",
        "./app:cpp:\"foo",
      })
  void otherTextsAreNone(String text) {
    assertThatThrownBy(() -> UserSelector.parse(text)).isInstanceOf(InvalidSelectorException.class);
  }

  @Property
  void anyNameCanStandInQuotes(
      @ForAll @NotEmpty @AlphaChars @Chars({'"', '\\', ' ', ':', '/', '+', '{', ';', '(', '0'})
          String name) {
    Assume.that(UserSelector.Function.canBe(name));
    UserSelector.Function function = new UserSelector.Function("c", name);
    if (!Glob.isGlob(name)) {
      assertThat(UserSelector.parse(function.text())).isEqualTo(function);
    }
    UsdtSelector.Marks mark =
        new UsdtSelector.Marks("c", Optional.of(new Glob(name)), new Glob(name));
    assertThat(UsdtSelector.parse(mark.text())).isEqualTo(mark);
  }

  @Test
  void aPlaceCanBeInAnotherProgram() {
    assertThat(UserSelector.parse("./app*:f+4").in("./app1").text()).isEqualTo("./app1:f+4");
    assertThat(UsdtSelector.parse("*:p:n").in("./app1").text()).isEqualTo("./app1:p:n");
  }

  @ParameterizedTest
  @CsvSource({
    "n, n",
    ":n, n",
    "::n, n",
    ":p:n, :p:n",
    "./x::n, ./x:n",
    "./x:p:n, ./x:p:n",
    "*:p*:*n, *:p*:*n",
    "./x:p:\"\\\"n\\\"\", ./x:p:\"\\\"n\\\"\"",
  })
  void aUsdtProbeNeedsOnlyItsName(String text, String written) {
    assertThat(UsdtSelector.parse(text).text()).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/bin/x", "./x:", "./x:a:b:c", "./x:p:\"n", "./x:\"p\"q:n"})
  void otherTextsAreNoUsdtProbe(String text) {
    assertThatThrownBy(() -> UsdtSelector.parse(text)).isInstanceOf(InvalidSelectorException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fun | fun | true",
        "fun | _Z3funi | true",
        "f* | fun | true",
        "* | _start | true",
        "fun(int) | fun | false",
        "fun(int) | _Z3funi | true",
        "fun | funny | false",
        "Z* | _ZN3FooE.part.0 | false",
        "* | _ZN3FooE.part.0 | false",
        "_Z* | _Z3funi | false",
        "counter | _ZN3app7counterE | false",
      })
  void cxxPatternsWithoutParametersMeanFunctionsOfCToo(
      String pattern, String symbol, boolean isMeant) {
    assertThat(new UserSelector.CxxFunctions("./app", new Glob(pattern)).matches(symbol))
        .isEqualTo(isMeant);
  }
}
