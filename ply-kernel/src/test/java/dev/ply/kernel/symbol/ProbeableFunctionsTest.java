package dev.ply.kernel.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.selector.KernelSelector;
import dev.ply.target.FunctionCatalog.Selection;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeableFunctionsTest {
  private static final String SYMBOLS =
      """
      ffffffff81000000 T vfs_read
      ffffffff81000100 T vfs_write
      ffffffff81000180 t __pfx_vfs_write
      ffffffff81000200 t vfs_notrace
      ffffffff81000300 t vfs_part.0
      ffffffff81000340 t vfs_read.cold
      ffffffff81000400 t vfs_forbidden
      ffffffff81000500 t vfs_twice
      ffffffff81000600 t vfs_twice
      ffffffff81000700 D vfs_data
      ffffffff82000000 T _sinittext
      ffffffff82000100 t vfs_init
      ffffffff82000200 T _einittext
      ffffffffc0001000 t vfs_module\t[loop]
      ffffffffc0002000 t vfs_both\t[loop]
      ffffffffc0003000 t vfs_both\t[other]
      ffffffffc0004000 t vfs_program\t[bpf]
      """;

  private static final String TRACEABLE =
      """
      vfs_read
      vfs_write
      vfs_part.0
      vfs_forbidden
      vfs_twice
      vfs_module [loop]
      vfs_both [loop]
      vfs_both [other]
      """;

  @TempDir Path directory;

  @BeforeEach
  void writeLists() throws IOException {
    Files.writeString(directory.resolve("symbols"), SYMBOLS);
    Files.writeString(directory.resolve("available_filter_functions"), TRACEABLE);
    Files.writeString(
        directory.resolve("blacklist"), "0xffffffff81000400-0xffffffff81000500\tvfs_forbidden\n");
  }

  @Test
  void whatCannotBeProbedIsCounted() {
    Selection selection = select("vfs_*");
    assertThat(selection.functions())
        .extracting(KernelSelector::text)
        .containsExactly("vfs_module", "vfs_read", "vfs_write");
    assertThat(selection.untraceable()).isEqualTo(4);
    assertThat(selection.ambiguous()).isZero();
  }

  @Test
  void functionsThatShareANameAreSelectedByAddress() throws IOException {
    Files.writeString(directory.resolve("available_filter_functions"), TRACEABLE + "vfs_twice\n");
    for (Selection selection : List.of(select("vfs_*"), selectTraced("vfs_*"))) {
      assertThat(selection.shared())
          .containsExactlyInAnyOrder(
              new KernelSelector.Address(0xffffffff81000500L, Optional.of("vfs_twice")),
              new KernelSelector.Address(0xffffffff81000600L, Optional.of("vfs_twice")),
              new KernelSelector.Address(0xffffffffc0002000L, Optional.of("vfs_both")),
              new KernelSelector.Address(0xffffffffc0003000L, Optional.of("vfs_both")));
    }
  }

  @Test
  void withoutAddressesTheyAreCounted() throws IOException {
    Files.writeString(
        directory.resolve("symbols"),
        SYMBOLS.replaceAll("(?m)^\\p{XDigit}{16}", "0000000000000000"));
    assertThat(select("vfs_*").shared()).isEmpty();
    assertThat(select("vfs_*").ambiguous()).isEqualTo(2);
  }

  @Test
  void theTracersListIsEnoughWhereNamesAreFoundInIt() throws IOException {
    Files.writeString(directory.resolve("symbols"), "");
    Files.writeString(
        directory.resolve("available_filter_functions"),
        TRACEABLE + "vfs_twice\n__ftrace_invalid_address___64\n");
    Selection selection = selectTraced("vfs_*");
    assertThat(selection.functions())
        .extracting(KernelSelector::text)
        .containsExactly("vfs_module", "vfs_read", "vfs_write");
    assertThat(selection.untraceable()).isEqualTo(2);
    assertThat(selection.ambiguous()).isEqualTo(2);
    assertThat(selectTraced("*:vfs_[bf]*").functions())
        .extracting(KernelSelector::text)
        .containsExactly("loop:vfs_both", "other:vfs_both");
    assertThat(selectTraced("__*")).isEqualTo(new Selection(List.of(), 0, 0));
  }

  @Test
  void whatTheTracersListLacksIsExplainedByTheTableOfAllSymbols() {
    assertThat(selectTraced("vfs_n*")).isEqualTo(new Selection(List.of(), 1, 0));
  }

  @Test
  void aSingleFunctionIsLookedUpAmongAllSymbols() throws IOException {
    Files.writeString(directory.resolve("symbols"), SYMBOLS + "ffffffff81000900 t vfs_read\n");
    assertThat(selectTraced("vfs_rea*").shared()).hasSize(2);
  }

  @Test
  void modulesHaveFunctionsOfTheirOwn() {
    assertThat(select("loop:vfs_*").functions())
        .extracting(KernelSelector::text)
        .containsExactly("loop:vfs_both", "loop:vfs_module");
    assertThat(select("[lo]*:vfs_b*").functions())
        .extracting(KernelSelector::text)
        .containsExactly("loop:vfs_both", "other:vfs_both");
    assertThat(select("vmlinux:vfs_[mrw]*").functions())
        .extracting(KernelSelector::text)
        .containsExactly("vfs_read", "vfs_write");
  }

  @Test
  void withoutTheTracersListTheKernelDecides() throws IOException {
    Files.delete(directory.resolve("available_filter_functions"));
    assertThat(select("vfs_n*").functions())
        .extracting(KernelSelector::text)
        .containsExactly("vfs_notrace");
    assertThat(select("vfs_[ifp]*").functions()).isEmpty();
    KernelSelector.Functions pattern = (KernelSelector.Functions) KernelSelector.parse("vfs_n*");
    ProbeableFunctions withoutTracefs =
        new ProbeableFunctions(
            symbols(),
            new FtraceFunctions(
                () -> {
                  throw new UnreadableTargetException("no tracefs");
                }),
            () -> true,
            directory.resolve("blacklist"));
    assertThat(withoutTracefs.select(pattern).functions()).hasSize(1);
  }

  @Test
  void whatIsNotThereIsNotCounted() {
    assertThat(select("nothing*")).isEqualTo(new Selection(List.of(), 0, 0));
  }

  private Selection select(String pattern) {
    return functions(false).select((KernelSelector.Functions) KernelSelector.parse(pattern));
  }

  private Selection selectTraced(String pattern) {
    return functions(true).selectTraced((KernelSelector.Functions) KernelSelector.parse(pattern));
  }

  private ProbeableFunctions functions(boolean tracerFindsNames) {
    return new ProbeableFunctions(
        symbols(),
        new FtraceFunctions(() -> Tracefs.at(directory)),
        () -> tracerFindsNames,
        directory.resolve("blacklist"));
  }

  private KallsymsSymbols symbols() {
    return new KallsymsSymbols(directory.resolve("symbols"));
  }
}
