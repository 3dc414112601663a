package dev.ply.cli.lsp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.CommandProcess;
import dev.ply.kernel.Live;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.CompletionItem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code ply lsp} as a process of its own, on this machine. */
@Timeout(300)
@Tag("any-java")
class ScriptServerIT {
  private static final String PLY = "file:///tmp/script.ply";

  private static int status(Process process) throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void probesAndFieldsOfThisMachineAreKnown() throws Exception {
    Live.assumeTracing();
    Process process = CommandProcess.start("lsp");
    Editor editor = new Editor(process.getInputStream(), process.getOutputStream());
    assertThat(editor.initialized.getServerInfo().getName()).isEqualTo("ply");
    String script = "tracepoint:sched:sched_switch { @[args.next_p";
    editor.open(PLY, "// one\n" + script);
    assertThat(editor.complete(PLY, 1, script.length()).getItems())
        .extracting(CompletionItem::getLabel, CompletionItem::getDetail)
        .contains(org.assertj.core.api.Assertions.tuple("next_pid", "pid_t next_pid"));
    assertThat(editor.complete(PLY, 1, "tracepoint:sched:sched_sw".length()).getItems())
        .extracting(CompletionItem::getLabel)
        .contains("tracepoint:sched:sched_switch");
    assertThat(editor.lines(PLY, "tracepoint:sched:sched_switch { @[args.nextpid] = count(); }"))
        .singleElement()
        .asString()
        .startsWith("0:39-0:46 Error unknown-field: ")
        .contains("next_pid");
    assertThat(editor.lines(PLY, "tracepoint:sched:sched_switch { @[args.next_pid] = count(); }"))
        .isEmpty();
    assertThat(editor.hover(PLY, 0, 45).getContents().getRight().getValue())
        .isEqualTo("```c\npid_t next_pid\n```");
    assertThat(editor.hover(PLY, 0, 20).getContents().getRight().getValue())
        .startsWith("```c\n")
        .contains("pid_t next_pid;", "tracepoint:");
    editor.leave();
    assertThat(status(process)).isZero();
  }

  @Test
  void aClosedInputEndsIt() throws Exception {
    Process process = CommandProcess.start("lsp");
    process.getOutputStream().close();
    assertThat(process.getInputStream().readAllBytes()).isEmpty();
    assertThat(status(process)).isZero();
  }

  /** What is no message at all ends nothing, and exit without shutdown is a failure. */
  @Test
  void exitEndsIt() throws Exception {
    Process process = CommandProcess.start("lsp");
    for (String message :
        List.of("Content-Length: 3\r\n\r\n{]}", "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}")) {
      String header =
          message.startsWith("{") ? "Content-Length: " + message.length() + "\r\n\r\n" : "";
      process.getOutputStream().write((header + message).getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    }
    assertThat(status(process)).isEqualTo(1);
  }
}
