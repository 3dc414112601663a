package dev.ply.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrftimeTest {
  private static final ZonedDateTime TIME =
      ZonedDateTime.of(2026, 3, 8, 14, 5, 9, 12_345_678, ZoneId.of("Europe/Berlin"));

  /** The expected strings are those of date(1) in the C locale, except of %f and %N. */
  @ParameterizedTest
  @CsvSource({
    "%H:%M:%S,14:05:09",
    "%T.%f,14:05:09.012345",
    "%N,012345678",
    "%I %l %k %p %P,02  2 14 PM pm",
    "%F %D,2026-03-08 03/08/26",
    "%Y %y %C %m %d %e %j,2026 26 20 03 08  8 067",
    "%a %A %b %B %h,Sun Sunday Mar March Mar",
    "%u %w %V %G,7 0 10 2026",
    "%s,1772975109",
    "%z %Z,+0100 CET",
    "%r|%R|%c,02:05:09 PM|14:05|Sun Mar  8 14:05:09 2026",
    "100%% of %q %,100% of %q %",
  })
  void patternsAreThoseOfC(String pattern, String expected) {
    assertThat(Strftime.format(pattern, TIME)).isEqualTo(expected);
  }
}
