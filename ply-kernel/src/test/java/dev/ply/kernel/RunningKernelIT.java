package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.symbol.KallsymsSymbols;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Type.ArrayType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("live")
@Tag("oldest")
final class RunningKernelIT {
  private final RunningKernel kernel = new RunningKernel();

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void theVersionIsRecentEnough() {
    assertThat(kernel.version().isAtLeast(5, 10)).isTrue();
  }

  @Test
  void aTracepointHasItsFields() {
    TracepointFormat format = kernel.tracepoints().find("sched", "sched_switch").orElseThrow();
    assertThat(format.id()).isPositive();
    assertThat(format.field("prev_comm"))
        .hasValueSatisfying(field -> assertThat(field.type()).isEqualTo(ArrayType.chars(16)));
    assertThat(kernel.tracepoints().find("sched", "no_such_event")).isEmpty();
  }

  @Test
  void everyFormatOfThisKernelIsUnderstood() {
    List<String> names = kernel.tracepoints().names().toList();
    assertThat(names).hasSizeGreaterThan(100).contains("sched:sched_switch");
    for (String name : names) {
      int colon = name.indexOf(':');
      Optional<TracepointFormat> format =
          kernel.tracepoints().find(name.substring(0, colon), name.substring(colon + 1));
      assertThat(format).as(name).isPresent();
    }
  }

  @Test
  void namesCanBeLoadedWhereTheKernelPadsThem() {
    boolean padded = kernel.version().isAtLeast(5, 17) && kernel.types().isKnown();
    assertThat(kernel.threadNameOffset().isPresent()).isEqualTo(padded);
  }

  @Test
  void functionsHaveNames() {
    KallsymsSymbols symbols = new KallsymsSymbols();
    assertThat(symbols.names().anyMatch("vfs_read"::equals)).isTrue();
  }
}
