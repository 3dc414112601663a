package dev.ply.cli;

import dev.ply.cli.info.Version;
import dev.ply.cli.io.Command;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.LanguageManual;
import dev.ply.cli.manual.ManualPage;
import dev.ply.cli.manual.ManualPages;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Shared;
import dev.ply.diagnostic.Suggestions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;

/** {@code ply manual}: the manual pages, as the build and packages install them. */
final class PrintManual implements Command {
  @Override
  public String name() {
    return "manual";
  }

  /** Made when it is asked for: most starts are those of other commands. */
  @Override
  public CommandManual manual() {
    return CommandManual.of(
            "ply manual",
            "print manual pages, or write all of them",
            Argument.of("page", Argument.Kind.TEXT),
            "Prints a page of the manual, ply(1) if none is named, in the macros of man.",
            "[options] [page]")
        .with(
            "Options",
            CommandOption.valued(
                "o",
                "output",
                Argument.of("DIR", Argument.Kind.DIRECTORY),
                "write all pages, compressed, into DIR: ply.1.gz, ply-language.7.gz …"),
            Shared.HELP)
        .with(
            new Section.Lines(
                "Examples",
                """
                ply manual bt | man -l -
                ply manual -o pages
                """))
        .seeAlso("ply(1)", "ply-completion(1)");
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(manual(), arguments);
    if (line.hasOption("h")) {
      return streams.output().printed(help());
    }
    ManualPages pages = pages();
    Optional<Path> directory = OptionParser.path(line, "o");
    if (directory.isPresent()) {
      return written(pages, directory.get());
    }
    List<String> names = line.getArgList().isEmpty() ? List.of("ply") : line.getArgList();
    for (String name : names) {
      ManualPage page = pages.page(name).orElseThrow(() -> unknown(pages, name));
      streams.output().print(page.text());
    }
    return ExitCode.OK;
  }

  private static int written(ManualPages pages, Path directory) throws UsageException {
    try {
      pages.write(directory);
      return ExitCode.OK;
    } catch (IOException e) {
      throw new UsageException("-o: " + directory + " cannot be written: " + e.getMessage());
    }
  }

  private static UsageException unknown(ManualPages pages, String name) {
    List<String> known = pages.pages().stream().map(ManualPage::name).toList();
    return new UsageException(
        "no page \""
            + name
            + "\": "
            + Suggestions.hint(name, known.stream(), "known are " + String.join(", ", known))[0]);
  }

  /** Returns all pages: those of commands, and the language's. */
  static ManualPages pages() {
    ManualPage.Edition edition = new ManualPage.Edition(Version.number(), Version.date());
    List<ManualPage> pages = new ArrayList<>();
    for (CommandManual manual : Ply.manuals()) {
      pages.add(ManualPage.of(manual, edition));
    }
    pages.add(LanguageManual.page(edition));
    return new ManualPages(pages);
  }
}
