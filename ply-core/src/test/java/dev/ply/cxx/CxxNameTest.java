package dev.ply.cxx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Symbols are decoded as c++filt does, and any text ends in a name or none. */
class CxxNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_Z4mainv | main()",
        "_ZN3app3Svc6handleEiPKc | app::Svc::handle(int, char const*)",
        "_ZNK3app3SvceqERKS0_ | app::Svc::operator==(app::Svc const&) const",
        "_ZN3app3SvcC1Ei | app::Svc::Svc(int)",
        "_ZN3app3SvcD2Ev | app::Svc::~Svc()",
        "_ZN3app5twiceIiEET_S1_ | int app::twice<int>(int)",
        "_ZN12_GLOBAL__N_11fEv | (anonymous namespace)::f()",
        "_Z3runPFviE | run(void (*)(int))",
        "_Z3sumRA10_i | sum(int (&) [10])",
        "_Z3useM3FooKFivE | use(int (Foo::*)() const)",
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc"
            + " | std::basic_ostream<char, std::char_traits<char> >& std::operator<<"
            + " <std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&,"
            + " char const*)",
        "_ZTV3Foo | vtable for Foo",
        "_ZThn8_N3Foo3barEv | non-virtual thunk to Foo::bar()",
        "_ZGVZ1fvE1x | guard variable for f()::x",
        "_ZZ4mainENKUlvE_clEv | main::{lambda()#1}::operator()() const",
        "_ZN3Foo3barB5cxx11Ev | Foo::bar[abi:cxx11]()",
        "_ZN3FoocvbEv | Foo::operator bool()",
        "_Z1fILb1ELin3EEvv | void f<true, -3>()",
        "_ZGTtnam | transaction clone for operator new[](unsigned long)",
        "_ZTIPKDd | typeinfo for decimal64 const*",
      })
  void isDecoded(String symbol, String name) {
    assertThat(CxxName.of(symbol).map(CxxName::text)).contains(name);
  }

  @Test
  void whatIsNoneIsNone() {
    assertThat(CxxName.of("readline")).isEmpty();
    assertThat(CxxName.of("_Z")).isEmpty();
    assertThat(CxxName.of("_ZN3FooE.part.0")).isEmpty();
    assertThat(CxxName.of("_ZN999999999999Foo")).isEmpty();
    assertThat(CxxName.of("_Z1f" + "P".repeat(2000) + "i")).isEmpty();
  }

  /** Each substitution doubles the text. */
  @Test
  void outputIsBounded() {
    StringBuilder symbol = new StringBuilder("_Z1f1AIiE");
    for (int i = 0; i < 30; i++) {
      String last = "S" + Integer.toString(i, 36).toUpperCase(Locale.ROOT) + "_";
      symbol.append("1BI").append(last).append(last).append("E");
    }
    Optional<CxxName> name = CxxName.of(symbol.toString());
    name.ifPresent(found -> assertThat(found.text().length()).isLessThan(1 << 20));
  }

  /** A reference of three characters repeats thousands. */
  @Test
  void repeatedPartsAreBounded() {
    StringBuilder symbol = new StringBuilder("_Z1f1AI");
    symbol.append("1000").append("x".repeat(1000)).append("E");
    symbol.append("S0_".repeat(300));
    assertThat(CxxName.of(symbol.toString())).isEmpty();
  }

  @Property
  void anyTextEnds(@ForAll("symbols") String symbol) {
    Optional<CxxName> name = CxxName.of("_Z" + symbol);
    name.ifPresent(found -> assertThat(found.text()).isNotNull());
  }

  @Provide
  Arbitrary<String> symbols() {
    return Arbitraries.of(
            "N", "E", "S_", "S0_", "St", "Ss", "I", "T_", "T0_", "3Foo", "1f", "C1", "D2", "K", "P",
            "R", "v", "i", "Z", "L", "J", "Dp", "F", "A3_", "M", "cv", "pl", "Ul", "Ut", "_",
            "B2xx", "X", "Th", "n", "0", "9", "TV", "GV", "s", "d", "li", "Do")
        .list()
        .ofMaxSize(60)
        .map(parts -> String.join("", parts));
  }
}
