package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.diagnostic.CompilationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each function yields, a row each: an expression, and what print shows of it. */
class FunctionTableTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "syscall_name(1) | write",
        "syscall_name(__NR_openat) | openat",
        "syscall_name(462) | mseal",
        "syscall_name(100000) | 100000",
        "syscall_name(-1) | -1",
        "signal_name(9) | SIGKILL",
        "strerror(2) | No such file or directory",
        "username | 0",
        "comm_of(5) | 5",
        "comm(5) | 5",
        "ntop(pton(\"127.0.0.1\")) | 127.0.0.1",
        "ntop(pton(\"2001:db8::1\")) | 2001:db8::1",
        "ntop(pton(\"::ffff:10.0.0.1\")) | ::ffff:10.0.0.1",
        "(uint32)pton(\"127.0.0.1\") == 0x0100007f | 1",
        "bswap((uint32)pton(\"10.0.0.1\")) == 0x0a000001 | 1",
        "memcmp(\"abc\", \"abd\", 2) | 0",
        "memcmp(\"abc\", \"abd\", 3) | -1",
        "memcmp(pton(\"10.0.0.9\"), pton(\"10.0.0.8\"), 4) | 1",
        "memcmp(\"a\\0b\", \"a\\0c\", 3) | -1",
        "memcmp(\"x\", \"y\", 0) | 0",
        "strlen(\"abc\") | 3",
        "strcontains(\"abc\", \"bc\") | 1",
        "strstr(\"abc\", \"c\") | 2",
        "strglob(\"abcd\", \"a?[!x-z]*\") | 1",
        "strncmp(\"abc\", \"abd\", 2) | 0",
        "strcap(comm) | 16",
        "len(kstack) | 0",
        "len(ustack(perf, 3)) | 0",
        "bswap((uint16)0x1234) == 0x3412 | 1",
        "macaddr(mem(0, 6)) | 00:00:00:00:00:00",
        "macaddr((int8 *)0) | 00:00:00:00:00:00",
        "macaddr(nsecs) | 00:00:00:00:00:00",
        "(uint64)(uint32[2])0x500000007 == 0x500000007 | 1",
        "(int32)(uint16[2])0x50007 == 0x50007 | 1",
        "(uint64)(uint8[8])nsecs > 0 | 1",
        "(int8)(uint16[2])0x500fe | -2",
        "sizeof(AF_INET) | 8",
        "sizeof(uint16) | 2",
        "ncpus > 0 | 1",
        "probetype == \"special\" | 1",
        "probe == \"BEGIN\" | 1",
        "\"begin\" != probe | 0",
        "probe == \"END\" | 0",
        "func == \"BEGIN\" | 1",
        "strcontains(probe, \"EGI\") | 1",
        "strlen(probe) | 5",
        "strncmp(\"BEGAN\", func, 3) | 0",
        "str_concat(func, \"x\") == \"BEGINx\" | 1",
        "leader_tid == pid | 1",
        "is_err((uint64)-2) | 1",
        "str_concat(\"abc\", \"de\") == \"abcde\" | 1",
        "str_concat(\"\", \"\") == \"\" | 1",
        "strcap(str_concat(comm, \"x\")) | 25",
        "strlen(str_concat(str_concat(\"a\", \"b\"), \"c\")) | 3",
        "str_concat(\"a\\0b\", \"c\") == \"ac\" | 1",
        "default_str_length == strcap(str(0)) | 1",
        "is_str(comm) | 1",
        "is_str(pid) | 0",
        "is_str(strerror(1)) | 1",
        "is_ptr(curtask) | 1",
        "is_ptr((int8 *)0) | 1",
        "is_ptr(pid) | 0",
        "is_array(pton(\"::1\")) | 1",
        "is_array(\"a\") | 0",
        "is_integer(pid) | 1",
        "is_integer((1, 2)) | 0",
        "is_unsigned_integer(pid) | 1",
        "is_unsigned_integer(-1) | 0",
        "is_literal(\"a\") | 1",
        "is_literal(true) | 1",
        "is_literal(pid) | 0",
        "kfunc_exist(\"no_such_function\") | 0",
        "cgroup_path(5, \"uni*\") == cgroup_path(5) | 1",
      })
  void aFunctionYields(String expression, String printed) {
    assertThat(FunctionsTest.begin("print(" + expression + ");")).isEqualTo(printed + "\n");
  }

  /** bpftrace has one type for both. */
  @Test
  void functionsOfProbesAndSymbolsShareMaps() {
    assertThat(
            FunctionsTest.begin(
                "@[1] = func; @[2] = ksym(0xffffffff12345678); print(@[1]); print(@[2]);"
                    + " $x = func; $x = ksym(0xffffffff12345678); print($x); clear(@);"))
        .isEqualTo("BEGIN\n0xffffffff12345678\n0xffffffff12345678\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "%d | 5 | 5",
        "%5d | 5 | ␣␣␣␣5",
        "%-5d. | 5 | 5␣␣␣␣.",
        "%05d | 5 | 00005",
        "%+d | 5 | +5",
        "%x | 255 | ff",
        "%#X | 255 | 0XFF",
        "%o | 8 | 10",
        "%c | 65 | A",
        "%u | 5 | 5",
        "%lu | 5 | 5",
        "%llx | 255 | ff",
        "%hhd | (int8)-1 | -1",
        "%hu | (uint16)65535 | 65535",
        "%p | 255 | 0xff",
        "%5s | \"ab\" | ␣␣␣ab",
        "%-5s. | \"ab\" | ab␣␣␣.",
        "%.1s | \"ab\" | a",
        "%r | buf(\"a\", 2) | a\\x00",
        "%rx | buf(\"a\", 2) | \\x61\\x00",
        "%rh | buf(\"a\", 2) | 61 00",
        "%gr | 1 | GFP_DMA",
        "%gr | 0 | 0",
        "%gr | 0xcc0 | GFP_KERNEL",
        "%gr | 0xdc0 | `GFP_KERNEL|__GFP_ZERO`",
        "%gr | 0x400cc0 | GFP_KERNEL_ACCOUNT",
        "%gr | 0x140cca | `GFP_HIGHUSER_MOVABLE|__GFP_COMP`",
        "%gr | 0x2140cca | `GFP_HIGHUSER_MOVABLE|__GFP_COMP`",
        "%gr | 0x820 | GFP_ATOMIC",
        "%gr | 0x40000200 | 0x40000200",
        "%9gr. | 1 | ␣␣GFP_DMA.",
        "%-9gr. | 1 | GFP_DMA␣␣.",
      })
  void aConversionShows(String conversion, String value, String printed) {
    assertThat(FunctionsTest.begin("printf(\"" + conversion + "\", " + value + ");"))
        .isEqualTo(printed.replace('␣', ' '));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "@[1] = count(); zero(@); print(@); | { 1 }: 0",
        "@[1] = sum(7); zero(@); print(@); | { 1 }: 0",
        "@[1] = max(7); zero(@); print(@); | { 1 }: 0",
        "@[1] = avg(7); zero(@); print(@); | { 1 }: 0",
        "@[1] = 7; zero(@); print(@); | { 1 }: 0",
        "@[1] = hist(7); zero(@); print(@); | { 1 }:",
        "@[1] = stats(7); zero(@); print(@); | { 1 }: count 0, average 0, total 0",
        "@[1] = count(); zero(@); clear(@); print(@); | ``",
        "@[1] = max(7); zero(@); delete(@[1]); print(@); | ``",
      })
  void zeroKeepsKeys(String body, String printed) {
    String shown = FunctionsTest.begin(body);
    String table = shown.substring(0, shown.lastIndexOf('\n') + 1);
    assertThat(table.replace("@:\n", "").strip()).isEqualTo(printed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "@a[1] = 7; let $v; print(find(@a, 1, $v), $v); | 1, 7",
        "@a[1] = 7; $v = 3; print(find(@a, 2, $v), $v); | 0, 3",
        "@a[1, \"x\"] = \"y\"; let $v; print(find(@a, (1, \"x\"), $v), $v == \"y\"); | 1, 1",
        "@a[1] = 7; $i = 0; let $v; print(find(@a, ++$i, $v), $v, $i); | 1, 7, 1",
        "@a[1] = (2, 3); let $v; print(find(@a, 1, $v), $v.1); | 1, 3",
      })
  void findAssignsTheValueOfAnEntry(String body, String printed) {
    assertThat(FunctionsTest.begin(body + " clear(@a);")).isEqualTo(printed + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (1 > 2) { fail(\"no\"); } print(1);",
        "if (\"a\" == \"a\") { print(1); } else { fail(\"no\"); }",
        "if (false) { fail(\"no\"); } if (!true || 1 > 2) { fail(\"no\"); } print(1);",
        "if (is_str(pid)) { fail(\"no\"); } else if (!is_ptr(curtask)) { fail(\"no\"); } print(1);",
        "if (is_str(pid) || is_array(comm) && 1) { fail(\"no\"); } print(1);",
        "static_assert(sizeof(uint64) == 8, \"no\"); print(1);",
        "static_assert(\"a\" != \"b\", \"no\"); print(1);",
        "static_assert(is_str(comm), \"no\"); assert_str(comm); print(1);",
      })
  void whatIsExcludedDoesNotFail(String body) {
    assertThat(FunctionsTest.begin(body)).isEqualTo("1\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "fail(\"at least %d, not %s\", 1 + 1, \"one\"); | at least 2, not one",
        "if (1) { fail(\"no\"); } | no",
        "static_assert(1 == 2, \"no\"); | no",
        "if (is_integer(pid)) { fail(\"no\"); } | no",
        "if (is_integer(pid) && nsecs > 1) { fail(\"no\"); } | no",
        "static_assert(pid == 2, \"no\"); | is not constant",
        "fail(\"%d\", pid); | must be literals",
        "print(pton(\"1.2.3\")); | \"1.2.3\" is not an IP address",
        "print(memcmp(comm, \"b\", 12)); | one of the values has 8",
        "print(memcmp(1, \"b\", 1)); | compares strings and arrays",
        "@[1] = 1; zero(@[1]); | zeroes a whole map; this is one entry",
        "print(len(\"a\")); | strlen",
        "assert_str(5); | this must be a string",
        "debugf(\"%r\", buf(\"a\", 1)); | does not know the conversion",
        "debugf(\"%d %d %d %d\", 1, 2, 3, 4); | up to 3 values; here are 4",
        "print(sarg0); | only probes on functions, timers and counters have saved registers",
        "print(kfunc_allowed(\"x\")); | not supported yet",
        "@ = 1; print(is_scalar(@)); | not supported yet",
        "static_assert(is_str(5), \"no text\"); | no text",
        "@a[1] = 1; find(@a, 1, 5); | assigns the value to a scratch variable",
        "@a = 1; let $v; find(@a, $v); | looks up a key in a map",
      })
  void anErrorSaysWhy(String body, String words) {
    assertThatThrownBy(() -> FunctionsTest.begin(body))
        .isInstanceOfSatisfying(
            CompilationException.class,
            e -> assertThat(e.diagnostics().toString()).contains(words));
  }
}
