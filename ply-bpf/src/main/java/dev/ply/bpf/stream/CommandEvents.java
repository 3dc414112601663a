package dev.ply.bpf.stream;

import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.machine.RunningScript;
import dev.ply.bpf.machine.ScriptOutput;
import dev.ply.bpf.object.EventSite;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.result.Message;
import dev.ply.result.Result;
import dev.ply.shell.ShellScript;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Handles the events of {@code system} and {@code cat}, whose output becomes that of the trace, and
 * those of {@code errorf} and {@code warnf}.
 */
public final class CommandEvents {
  private final Machine machine;
  private final RawFormatter formatter;
  private final ResultStream results;
  private final OrderedOutput output;

  /** The sites whose files were cut, which is reported once each. */
  private final Set<Integer> cut = new HashSet<>();

  /** The numbers of jobs, by their calls, that were not done when time was up. */
  private final Map<SourceSpan, Integer> omitted = new ConcurrentHashMap<>();

  /** Runs commands and prints files, with their output after that of earlier events. */
  public CommandEvents(
      Machine machine, RawFormatter formatter, ResultStream results, OrderedOutput output) {
    this.machine = machine;
    this.formatter = formatter;
    this.results = results;
    this.output = output;
  }

  /** Reports the message of a record. */
  public void report(EventSite.Report site, ByteBuffer memory, int start) {
    results.accept(
        new Result.Report(
            new Diagnostic(
                site.severity(),
                DiagnosticCode.REPORTED,
                site.span(),
                formatter.text(site, memory, start),
                List.of()),
            Result.Reporter.SCRIPT));
  }

  /** Runs the command of a record. */
  public void run(EventSite.Command site, ByteBuffer memory, int start) {
    List<String> parameters = formatter.conversions(site, memory, start);
    String script = ShellScript.of(PrintfFormat.parse(site.format()));
    output.run(unlessOver(site.span(), () -> outputOf(script, parameters, site)));
  }

  /** Has a job counted instead, if there is no time for it. */
  private OrderedOutput.Job unlessOver(SourceSpan span, OrderedOutput.Job job) {
    return new OrderedOutput.Job() {
      private final AtomicBoolean isCounted = new AtomicBoolean();

      @Override
      public TextBuffer run() {
        if (output.isOver()) {
          leave();
          return new TextBuffer();
        }
        return job.run();
      }

      @Override
      public void leave() {
        // By who no longer waits for it, and by itself if it begins after that.
        if (!isCounted.getAndSet(true)) {
          omitted.merge(span, 1, Integer::sum);
        }
      }
    };
  }

  private TextBuffer outputOf(String script, List<String> parameters, EventSite.Command site) {
    try (RunningScript running = machine.start(script, parameters)) {
      ScriptOutput.Result result = ScriptOutput.of(running, output::isOver);
      if (!result.end().isEmpty()) {
        report(site.span(), "a command was stopped: " + result.end());
      }
      if (!result.output().isEmpty()) {
        byte[] bytes = result.output().getBytes(StandardCharsets.ISO_8859_1);
        return results.text(new Result.Content(Message.COMMAND, TextBytes.decode(bytes)));
      }
    } catch (IOException e) {
      report(site.span(), "a command could not be started: " + reason(e));
    }
    return new TextBuffer();
  }

  /** Reports the commands and files for which there was no time, after all events. */
  public void finish() {
    omitted.forEach(
        (span, number) ->
            report(
                span,
                (number == 1 ? "a command or file was" : number + " commands or files were")
                    + " left out: the trace has ended"));
    omitted.clear();
  }

  /** Prints the file of a record. */
  public void print(EventSite.File site, ByteBuffer memory, int start) {
    String path = formatter.text(site, memory, start);
    output.run(unlessOver(site.span(), () -> contentOf(path, site)));
  }

  private TextBuffer contentOf(String path, EventSite.File site) {
    try {
      // One more byte tells whether there is more.
      byte[] content = machine.readFile(path, Math.addExact(site.limit(), 1));
      boolean isWhole = content.length <= site.limit();
      if (!isWhole && cut.add(site.id())) {
        report(
            site.span(),
            Escapes.escape(path) + " is longer than " + site.limit() + " bytes, as others may be",
            "config = { max_cat_bytes = N } shows more, as BPFTRACE_MAX_CAT_BYTES=N does");
      }
      byte[] shown = isWhole ? content : Arrays.copyOf(content, site.limit());
      return results.text(new Result.Content(Message.FILE, TextBytes.decode(shown)));
    } catch (IOException e) {
      report(site.span(), "cannot read " + Escapes.escape(path) + ": " + reason(e));
    }
    return new TextBuffer();
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    return e instanceof AccessDeniedException
        ? "permission denied"
        : Escapes.escape(String.valueOf(e.getMessage()));
  }

  private void report(SourceSpan span, String message, String... hints) {
    results.accept(
        new Result.Report(
            new Diagnostic(
                Severity.WARNING, DiagnosticCode.REPORTED, span, message, List.of(hints)),
            Result.Reporter.TRACER));
  }
}
