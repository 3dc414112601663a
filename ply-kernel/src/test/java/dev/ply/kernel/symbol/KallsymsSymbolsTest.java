package dev.ply.kernel.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelSymbols.Symbol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KallsymsSymbolsTest {
  private static final String TABLE =
      """
      0000000000000000 A fixed_percpu_data
      ffffffff81000000 T _stext
      ffffffff81000000 T _text
      ffffffff81000040 t first
      ffffffff81000080 W second
      ffffffff81000100 D some_data
      ffffffffc0002000 t module_exit\t[loop]
      ffffffffc0001000 t module_init\t[loop]
      ffffffffc0003000 d module_data\t[loop]
      """;

  @TempDir Path directory;

  @Test
  void addressesBelongToTheFunctionBefore() throws IOException {
    KallsymsSymbols symbols = symbols(TABLE);
    assertThat(symbols.hasAddresses()).isTrue();
    assertThat(symbols.at(0xffffffff81000040L)).contains(new Symbol("first", 0));
    assertThat(symbols.at(0xffffffff8100007fL)).contains(new Symbol("first", 0x3f));
    assertThat(symbols.at(0xffffffff81000081L)).contains(new Symbol("second", 1));
  }

  @Test
  void ofSeveralNamesTheFirstCounts() throws IOException {
    assertThat(symbols(TABLE).at(0xffffffff81000004L)).contains(new Symbol("_stext", 4));
  }

  @Test
  void whatHasANameHasAnAddressWhateverItIs() throws IOException {
    KallsymsSymbols symbols = symbols(TABLE + "ffffffffc0004000 t first\t[other]\n");
    assertThat(symbols.hiddenUnless()).isEmpty();
    assertThat(symbols.addresses("some_data")).containsExactly(0xffffffff81000100L);
    assertThat(symbols.addresses("module_data")).containsExactly(0xffffffffc0003000L);
    assertThat(symbols.addresses("first"))
        .containsExactly(0xffffffff81000040L, 0xffffffffc0004000L);
    assertThat(symbols.addresses("firs")).isEmpty();
  }

  @Test
  void functionsAreFoundByTheirWholeNames() throws IOException {
    KallsymsSymbols symbols = symbols(TABLE + "ffffffffc0004000 t last");
    assertThat(symbols.named("first"))
        .extracting(KernelSymbols.Extent::address)
        .containsExactly(0xffffffff81000040L);
    assertThat(symbols.named("module_exit")).hasSize(1);
    assertThat(symbols.named("last")).hasSize(1);
    assertThat(symbols.named("las")).isEmpty();
    assertThat(symbols.named("lastly")).isEmpty();
    assertThat(symbols.named("some_data")).isEmpty();
  }

  @Test
  void missingNamesAreThoseOfNoFunction() throws IOException {
    KallsymsSymbols symbols = symbols(TABLE);
    assertThat(
            symbols.missing(Set.of("first", "module_exit", "irst", "fir", "some_data", "_stext")))
        .containsExactlyInAnyOrder("irst", "fir", "some_data");
    assertThat(symbols("").missing(Set.of("first"))).isEmpty();
  }

  @Test
  void addressesAreHiddenWhereAllAreZero() throws IOException {
    KallsymsSymbols symbols = symbols(TABLE.replaceAll("(?m)^\\S+", "0000000000000000"));
    assertThat(symbols.hiddenUnless()).isPresent();
    assertThat(symbols.addresses("some_data")).isEmpty();
    assertThat(symbols("").hiddenUnless()).isEmpty();
  }

  @Test
  void dataIsNoFunction() throws IOException {
    KallsymsSymbols symbols = symbols(TABLE);
    assertThat(symbols.at(0xffffffff81000108L)).isEmpty();
    assertThat(symbols.at(0xffffffffc0003001L)).isEmpty();
    assertThat(symbols.at(8)).isEmpty();
  }

  private static final String ALL_SYMBOLS =
      """
      0000000000000000 A fixed_percpu_data
      ffffffff81000000 T _stext
      ffffffff81000000 T _text
      ffffffff81000040 t __do_sys_getppid
      ffffffff81000040 T __x64_sys_getppid
      ffffffff81000080 R first_of_data
      ffffffff81000080 t code_there
      ffffffff82000000 D linux_banner
      ffffffff82000100 d local_data
      ffffffff82000200 B _end
      ffffffffc0003000 d module_data\t[loop]
      ffffffffc0003010 t module_code\t[loop]
      """;

  /** As the kernel's %pS and its type {@code symbol} have them. */
  @Test
  void rangesAreNamedByTheFirstSymbolOfAnyKind() throws IOException {
    KallsymsSymbols symbols = symbols(ALL_SYMBOLS);
    assertThat(range(symbols, 0xffffffff81000044L)).isEqualTo("__do_sys_getppid+0x4/0x40");
    assertThat(range(symbols, 0xffffffff81000081L)).startsWith("first_of_data+0x1/");
    assertThat(range(symbols, 0xffffffff82000000L)).isEqualTo("linux_banner+0x0/0x100");
    assertThat(range(symbols, 0xffffffff82000108L)).isEqualTo("local_data+0x8/0x100");
    assertThat(range(symbols, 0xffffffffc0003008L)).isEqualTo("module_data+0x8/0x10 [loop]");
    assertThat(range(symbols, 0xffffffff82000200L)).isEqualTo("none");
    assertThat(range(symbols, 0x10)).isEqualTo("none");
    assertThat(symbols.at(0xffffffff82000000L)).isEmpty();
  }

  /** A kernel whose table has functions only names no data (without CONFIG_KALLSYMS_ALL). */
  @Test
  void variablesAreNamedWhereTheTableHasThem() throws IOException {
    KallsymsSymbols symbols = symbols(ALL_SYMBOLS.replaceAll("(?m)^\\S+ [bd] .*\n", ""));
    assertThat(range(symbols, 0xffffffff82000000L)).isEqualTo("none");
    assertThat(range(symbols, 0xffffffff81000044L)).isEqualTo("__do_sys_getppid+0x4/0x40");
  }

  private static String range(KallsymsSymbols symbols, long address) {
    return symbols.rangeAt(address).map(Object::toString).orElse("none");
  }

  @Test
  void modulesNeedNotBeInOrder() throws IOException {
    KallsymsSymbols symbols = symbols(TABLE);
    assertThat(symbols.at(0xffffffffc0001008L)).contains(new Symbol("module_init", 8));
    assertThat(symbols.at(0xffffffffc0002008L)).contains(new Symbol("module_exit", 8));
  }

  @Test
  void namesAreTheFunctions() throws IOException {
    assertThat(symbols(TABLE).names())
        .containsExactly("_stext", "_text", "first", "second", "module_init", "module_exit");
  }

  @Test
  void hiddenAddressesLeaveTheNames() throws IOException {
    KallsymsSymbols symbols = symbols(TABLE.replaceAll("(?m)^[0-9a-f]{16}", "0".repeat(16)));
    assertThat(symbols.hasAddresses()).isFalse();
    assertThat(symbols.at(0)).isEmpty();
    assertThat(symbols.at(0xffffffff81000040L)).isEmpty();
    assertThat(symbols.names()).contains("first", "module_init");
  }

  @Test
  void aKernelWithoutATableHasNoKnownFunctions() {
    KallsymsSymbols symbols = new KallsymsSymbols(directory.resolve("absent"));
    assertThat(symbols.names()).isEmpty();
    assertThat(symbols.at(0xffffffff81000040L)).isEmpty();
  }

  @Test
  void theLastLineNeedNotEnd() throws IOException {
    assertThat(symbols("ffffffff81000000 T a\nffffffff81000010 T b").names())
        .containsExactly("a", "b");
  }

  private KallsymsSymbols symbols(String table) throws IOException {
    return new KallsymsSymbols(Files.writeString(directory.resolve("kallsyms"), table));
  }
}
