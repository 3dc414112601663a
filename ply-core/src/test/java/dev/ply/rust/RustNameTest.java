package dev.ply.rust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.symbol.Demangled;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Symbols of Rust are decoded as its own tools do, and any text ends in a name or none. */
class RustNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "_ZN4core3fmt5write17h0123456789abcdefE | core::fmt::write",
        "_ZN4test1a2bc17h05af221e174051e9E | test::a::bc",
        "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE"
            + " | <Test + 'static as foo::Bar<Test>>::bar",
        "_ZN13test_closures4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE"
            + " | test_closures::main::{{closure}}",
        "_ZN3foo16_$RF$mut$u20$i3217h05af221e174051e9E | foo::&mut i32",
        "_RNvC6_123foo3bar | 123foo::bar",
        "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y"
            + " | utf8_idents::საჭმელად_გემრიელი_სადილი",
        "_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_ | cc::spawn::{closure#0}::{closure#0}",
        "_RNCINkXs25_NgCsbmNqQUJIY6D_4core5sliceINyB9_4IterhENuNgNoBb_4iter8iterator8Iterator9rpositionNCNgNpB9_6memchr7memrchrs_0E0Bb_"
            + " | <core::slice::Iter<u8> as"
            + " core::iter::iterator::Iterator>::rposition::<core::slice::memchr::memrchr::{closure#1}>::{closure#0}",
        "_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std"
            + " | alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>",
        "_RMC0INtC8arrayvec8ArrayVechKj7b_E | <arrayvec::ArrayVec<u8, 123>>",
        "_RMCs4fqI2P2rA04_13const_genericINtB0_8UnsignedKhb_E | <const_generic::Unsigned<11>>",
        "_RMCs4fqI2P2rA04_13const_genericINtB0_6SignedKs98_E | <const_generic::Signed<152>>",
        "_RMCs4fqI2P2rA04_13const_genericINtB0_6SignedKanb_E | <const_generic::Signed<-11>>",
        "_RMCs4fqI2P2rA04_13const_genericINtB0_4BoolKb0_E | <const_generic::Bool<false>>",
        "_RMCs4fqI2P2rA04_13const_genericINtB0_4CharKc76_E | <const_generic::Char<'v'>>",
        "_RMCs4fqI2P2rA04_13const_genericINtB0_4CharKca_E | <const_generic::Char<'\\n'>>",
        "_RNvMCs4fqI2P2rA04_13const_genericINtB2_3FooKpE3foo | <const_generic::Foo<_>>::foo",
        "_RC3foo.llvm.9D1C9369 | ",
        "_RINvC1a1fFUKCRL0_hEuE | ",
        "_RINvC1a1fFG_RL0_hEuE | a::f::<for<'a> fn(&'a u8)>",
        "_RINvC1a1fFUKCPhOlTmEEzE | a::f::<unsafe extern \"C\" fn(*const u8, *mut i32, (u32,)) ->"
            + " !>",
        "_RINvC1a1fSeQSjAh4_E | ",
        "_RINvC1a1fSeQSjAhj4_E | a::f::<[str], &mut [usize], [u8; 4]>",
        "_RINvC1a1fRe_ | ",
        "_RNvYhNtC1a1T1f | <u8 as a::T>::f",
        "_RNSNvC1a1f10vtable.shim | ",
        "_RNSNvC1a1f6vtable | a::f::{shim:vtable#0}",
      })
  void isDecoded(String symbol, String name) {
    assertThat(RustName.of(symbol).map(RustName::text)).isEqualTo(Optional.ofNullable(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_ZN4core3fmt5write17h0123456789abcdefE | core::fmt::write",
        "_ZN4core3fmt5write17h0123456789abcdefE.llvm.1234 | core::fmt::write",
        "_ZN3foo16f$LT$a..b$GT$x_217h05af221e174051e9E.cold | foo::f<a::b>x_2 [clone .cold]",
        "_ZN3app3Svc6handleEiPKc | app::Svc::handle(int, char const*)",
        "_Z1fi.part.0 | f(int) [clone .part.0]",
        "_Z1fi.constprop.0.cold | f(int) [clone .constprop.0.cold]",
        "_ZN3FooE.part | Foo [clone .part]",
        "_RNvC6_123foo3bar.llvm.99 | 123foo::bar",
        "main | main",
        "_start | _start",
        "_Zero.x | _Zero.x",
        "_Rx | _Rx",
      })
  void symbolsAreShownByTheirNames(String symbol, String name) {
    assertThat(Demangled.text(symbol)).isEqualTo(name);
    assertThat(Demangled.text(symbol)).isEqualTo(name);
  }

  @Test
  void whatIsNoneIsNone() {
    for (String symbol :
        new String[] {
          "",
          "_R",
          "_ZN",
          "_ZN3fooE",
          "_ZN3foo17h0000000000000000E",
          "_RC",
          "_RNvC6_123foo",
          "_RB_",
          "_RC1aB",
          "_R0NvC1a1f",
          "_RNvC1a1fx",
          "_ZN9999999999999999999fooE",
          "_RYB_B_",
          "_RNvCs_1a1f\u0000",
          "_RC99999999999999999999a",
          "_RIC1aKy__",
          "_RINvC1a1fL9999999999999_E"
        }) {
      assertThat(RustName.of(symbol)).as(symbol).isEmpty();
    }
  }

  /** Each tuple repeats the one before it twice. */
  @Test
  void workAndOutputAreBounded() {
    StringBuilder symbol = new StringBuilder("_RINvC1a1f");
    String last = "h";
    for (int i = 0; i < 200; i++) {
      int position = symbol.length() - 2;
      symbol.append('T').append(last).append(last).append('E');
      last = "B" + base62(position);
    }
    symbol.append('E');
    assertThat(RustName.of(symbol.toString())).isEmpty();
    assertThat(Demangled.text(symbol.toString())).isEqualTo(symbol.toString());
    assertThat(RustName.of("_RC" + "1a".repeat(10_000))).isEmpty();
    assertThat(RustName.of("_RM" + "R".repeat(3000) + "hC1a")).isEmpty();
  }

  private static String base62(int position) {
    String digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (position == 0) {
      return "_";
    }
    StringBuilder text = new StringBuilder();
    for (int rest = position - 1; ; rest /= 62) {
      text.insert(0, digits.charAt(rest % 62));
      if (rest < 62) {
        return text + "_";
      }
    }
  }

  @Property
  void anyTextEnds(@ForAll("symbols") String symbol) {
    for (String whole : new String[] {"_R" + symbol, "_ZN" + symbol, "_ZN" + symbol + "E"}) {
      RustName.of(whole).ifPresent(name -> assertThat(name.text()).isNotNull());
      assertThat(Demangled.text(whole).length()).isLessThanOrEqualTo(4096);
    }
  }

  @Provide
  Arbitrary<String> symbols() {
    return Arbitraries.of(
            "Nv",
            "NC",
            "NS",
            "C1a",
            "Cs_1a",
            "1f",
            "u3_aa",
            "M",
            "X",
            "Y",
            "I",
            "E",
            "B_",
            "B0_",
            "B2_",
            "R",
            "L_",
            "L0_",
            "Q",
            "P",
            "O",
            "A",
            "S",
            "T",
            "F",
            "U",
            "KC",
            "K",
            "j4_",
            "hn1_",
            "ca_",
            "b1_",
            "e6162_",
            "p",
            "D",
            "G_",
            "u",
            "h",
            "z",
            "s0_",
            "17h05af221e174051e9",
            "4_$x",
            "5$LT$a",
            "VC1aU",
            "0",
            "_")
        .list()
        .ofMaxSize(60)
        .map(parts -> String.join("", parts));
  }
}
