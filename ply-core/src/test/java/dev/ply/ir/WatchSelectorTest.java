package dev.ply.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.WatchSelector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchSelectorTest {
  @ParameterizedTest
  @CsvSource({
    "0x10000000:8:rw, 0x10000000:8:rw",
    "268435456:4:wr, 0x10000000:4:rw",
    "0xffffffff82000008:8:w, 0xffffffff82000008:8:w",
    "0x401003:1:r, 0x401003:1:r",
    "0x401003:8:x, 0x401003:8:x",
    "jiffies:8:w, jiffies:8:w",
  })
  void isReadAndWritten(String text, String canonical) {
    WatchSelector selector = WatchSelector.parse(text);
    assertThat(selector.text()).isEqualTo(canonical);
    assertThat(WatchSelector.parse(canonical)).isEqualTo(selector);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0x1000 | \"0x1000\" is not a place, a number of bytes and accesses",
        "0x1000:3:w | a watchpoint watches 1, 2, 4 or 8 bytes, not 3",
        "0x1001:2:w | 0x1001 is not a multiple of 2, as processors require",
        "0x0:8:w | nothing is at address 0",
        "0x1000:8:wx | no processor watches \"wx\" at once",
        "0x1000:8:ww | \"ww\" are no accesses",
        "0x1000:8:q | \"q\" are no accesses",
        "f+arg0:8:w | a watchpoint on what an argument points to is not supported",
        "a-b:8:w | \"a-b\" is neither an address nor a name of the kernel",
      })
  void isRefusedInWords(String text, String message) {
    assertThatThrownBy(() -> WatchSelector.parse(text))
        .isInstanceOf(InvalidSelectorException.class)
        .hasMessage(message);
  }

  @Test
  void accessesHaveTheKernelsNumbers() {
    assertThat(WatchSelector.Access.values())
        .extracting(WatchSelector.Access::number)
        .containsExactly(1, 2, 3, 4);
  }
}
