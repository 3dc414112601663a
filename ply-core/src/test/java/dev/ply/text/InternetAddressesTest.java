package dev.ply.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InternetAddressesTest {
  /** The examples of RFC 5952, section 4, and what inet_ntop(3) writes. */
  @ParameterizedTest
  @CsvSource({
    "00000000000000000000000000000000,::",
    "00000000000000000000000000000001,::1",
    "20010db8000000000000000000000001,2001:db8::1",
    "20010db8000000010001000100010001,2001:db8:0:1:1:1:1:1",
    "20010db8000000000001000000000001,2001:db8::1:0:0:1",
    "20010000000000010000000000000001,2001:0:0:1::1",
    "fe800000000000000000000000000000,fe80::",
    "00000000000000000000ffff0a000001,::ffff:10.0.0.1",
  })
  void version6LeavesOutTheLongestZeroes(String bytes, String expected) {
    assertThat(InternetAddresses.text(10, HexFormat.of().parseHex(bytes))).isEqualTo(expected);
  }

  @Test
  void version4HasTheFirstFourBytes() {
    assertThat(InternetAddresses.text(2, new byte[] {(byte) 192, 0, 2, 1, 9, 9}))
        .isEqualTo("192.0.2.1");
    assertThat(InternetAddresses.text(0, new byte[16])).isEmpty();
  }
}
