package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose name and files are meant to take over the terminal of whoever traces it. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class EscapesIT {
  private static final String NAME = "\u001b]0;t\u0007\n{é}";

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  /** Runs a shell that takes the name and opens a file of that name. */
  private Call trace(String program, String... options) throws Exception {
    Path name = Files.writeString(directory.resolve("name"), NAME);
    Files.writeString(directory.resolve(NAME), "");
    // Only what the shell itself writes there names it.
    String command =
        "n=$(cat " + name + "); cd " + directory + "; printf %s \"$n\" >/proc/$$/comm; : <\"$n\"";
    String[] arguments = new String[options.length + 3];
    System.arraycopy(options, 0, arguments, 0, options.length);
    arguments[options.length] = "-c";
    arguments[options.length + 1] = command;
    arguments[options.length + 2] = program;
    return Call.ply(arguments);
  }

  @Test
  void namesAreEscapedWhereverTheyArePrinted() throws Exception {
    Call call =
        trace(
            "t:syscalls:sys_enter_openat / pid == $target && strcmp(comm,"
                + " \"sh\") / { printf(\"%s|\", comm); print(comm, str(data->filename, 24));"
                + " @[comm] = count(); }");

    assertThat(call.errors()).startsWith("warning[other-process]: ").doesNotContain("error");
    assertThat(call.output())
        .contains("\\x1b]0;t\\x07\\n{é}|")
        .contains(", \\x1b]0;t\\x07\\n{é}")
        .contains("\n@:\n{ \\x1b]0;t\\x07\\n{é} }: ");
    assertThat(call.output().replace("\n", "").codePoints()).noneMatch(Character::isISOControl);
  }

  @Test
  void rawBytesAreThereForThoseWhoAskForThem() throws Exception {
    String program =
        "t:syscalls:sys_enter_openat / pid == $target && strcmp(comm, \"sh\")"
            + " / { printf(\"<%s>\", comm); }";

    assertThat(trace(program, "--raw").output()).startsWith("<" + NAME + ">");
  }

  @Test
  void errorsQuoteEscaped() {
    assertThat(Call.ply("-e", "BEGIN { print(\"a\"); } \u001b[2J").errors())
        .contains("\\x1b[2J")
        .doesNotContain("\u001b");
    assertThat(Call.ply("-e", "dir/\u001b[2J\n.ply").errors())
        .isEqualTo("error: no such file: dir/\\x1b[2J\\n.ply\n");
  }
}
