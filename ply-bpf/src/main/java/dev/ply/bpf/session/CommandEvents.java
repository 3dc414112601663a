package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.ir.SourceSpan;
import dev.ply.result.Message;
import dev.ply.result.PrintfFormat;
import dev.ply.result.ResultFormat;
import dev.ply.result.ShellScript;
import dev.ply.result.TextBuffer;
import dev.ply.type.Escapes;
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
import java.util.function.Consumer;

/**
 * Handles the events of {@code system} and {@code cat}, whose output becomes that of the trace, and
 * those of {@code errorf} and {@code warnf}.
 */
final class CommandEvents {
  private final Machine machine;
  private final RawFormatter formatter;
  private final ResultFormat format;
  private final OrderedOutput output;
  private final Consumer<Diagnostic> reports;

  /** The sites whose files were cut, which is reported once each. */
  private final Set<Integer> cut = new HashSet<>();

  /** The numbers of jobs, by their calls, that were not done when time was up. */
  private final Map<SourceSpan, Integer> omitted = new ConcurrentHashMap<>();

  CommandEvents(
      Machine machine,
      RawFormatter formatter,
      ResultFormat format,
      OrderedOutput output,
      Consumer<Diagnostic> reports) {
    this.machine = machine;
    this.formatter = formatter;
    this.format = format;
    this.output = output;
    this.reports = reports;
  }

  /**
   * Reports the message of a record: as a result in layouts that have such, else as a diagnostic.
   */
  void report(EventSite.Report site, ByteBuffer memory, int start) {
    String message = formatter.text(site, memory, start);
    TextBuffer line = new TextBuffer();
    format.appendReport(line, diagnostic(site, message));
    if (line.length() > 0) {
      output.write(line);
    } else {
      reports.accept(diagnostic(site, message.stripTrailing()));
    }
  }

  private static Diagnostic diagnostic(EventSite.Report site, String message) {
    return new Diagnostic(
        site.severity(), DiagnosticCode.REPORTED, site.span(), message, List.of());
  }

  /** Runs the command of a record. */
  void run(EventSite.Command site, ByteBuffer memory, int start) {
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
    TextBuffer text = new TextBuffer();
    try (RunningScript running = machine.start(script, parameters)) {
      ScriptOutput.Result result = ScriptOutput.of(running, output::isOver);
      if (!result.end().isEmpty()) {
        report(site.span(), "a command was stopped: " + result.end());
      }
      if (!result.output().isEmpty()) {
        byte[] bytes = result.output().getBytes(StandardCharsets.ISO_8859_1);
        format.appendContent(text, bytes, Message.COMMAND);
      }
    } catch (IOException e) {
      report(site.span(), "a command could not be started: " + reason(e));
    }
    return text;
  }

  /** Reports the commands and files for which there was no time, after all events. */
  void finish() {
    omitted.forEach(
        (span, number) ->
            report(
                span,
                (number == 1 ? "a command or file was" : number + " commands or files were")
                    + " left out: the trace has ended"));
    omitted.clear();
  }

  /** Prints the file of a record. */
  void print(EventSite.File site, ByteBuffer memory, int start) {
    String path = formatter.text(site, memory, start);
    output.run(unlessOver(site.span(), () -> contentOf(path, site)));
  }

  private TextBuffer contentOf(String path, EventSite.File site) {
    TextBuffer text = new TextBuffer();
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
      format.appendContent(text, shown, Message.FILE);
    } catch (IOException e) {
      report(site.span(), "cannot read " + Escapes.escape(path) + ": " + reason(e));
    }
    return text;
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
    reports.accept(
        new Diagnostic(Severity.WARNING, DiagnosticCode.REPORTED, span, message, List.of(hints)));
  }
}
