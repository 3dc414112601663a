package dev.ply.cli;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.bpftrace.Bpftrace;
import dev.ply.cli.completion.LiveNames;
import dev.ply.cli.info.Version;
import dev.ply.cli.input.CallerEnvironment;
import dev.ply.cli.io.Command;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.lsp.Dialect;
import dev.ply.cli.lsp.ScriptServer;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Shared;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.commons.cli.CommandLine;

/** {@code ply lsp}: what editors start, and speak with over standard input and output. */
final class EditScripts implements Command {
  @Override
  public String name() {
    return "lsp";
  }

  /** Made when it is asked for: most starts are those of other commands. */
  @Override
  public CommandManual manual() {
    return CommandManual.of(
            "ply lsp",
            "serve an editor: errors as you type, help, completion, layout",
            Argument.of("nothing", Argument.Kind.TEXT),
            "Speaks the Language Server Protocol on standard input and output, until the editor"
                + " says exit or closes the input. Files that end with .ply are scripts of ply,"
                + " tools among them; those that end with .bt are bpftrace's. Scripts are checked"
                + " for this machine, without privileges as far as it can be read, and nothing is"
                + " loaded into the kernel. EDITORS.md shows how editors are set up.",
            "[options]")
        .with("Options", Shared.HELP)
        .with(
            Section.Terms.of(
                "Exit status",
                new Section.Term("0", "The editor said shutdown and exit, or closed the input."),
                new Section.Term("1", "It said exit without shutdown.")))
        .seeAlso("ply(1)", "ply-bt(1)", "ply-tool(1)", "ply-language(7)");
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(manual(), arguments);
    if (line.hasOption("h")) {
      return streams.output().printed(help());
    }
    if (!line.getArgList().isEmpty()) {
      throw new UsageException(
          "unexpected operand \"" + line.getArgList().get(0) + "\": ply lsp takes none");
    }
    streams.output().buffer(Output.Buffering.NONE);
    try {
      return ScriptServer.serve(
              streams.input(),
              streams.output(),
              Version.number(),
              dialects(),
              LiveNames.programDirectories())
          ? ExitCode.OK
          : ExitCode.FAILURE;
    } catch (NoClassDefFoundError e) {
      throw new UsageException(
          "ply lsp needs LSP4J, which this installation lacks: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILURE;
    }
  }

  /** Some process is $target in both. */
  private static List<Dialect> dialects() {
    Map<String, String> environment = CallerEnvironment.read().variables();
    OptionalLong process = OptionalLong.of(ProcessHandle.current().pid());
    Bpftrace bpftrace = new Bpftrace();
    return List.of(
        new Dialect(".ply", new Scripts().arguments(environment, process), CompilerOptions.DEFAULT),
        new Dialect(".bt", bpftrace.arguments(environment, process), Bpftrace.SIZES));
  }
}
