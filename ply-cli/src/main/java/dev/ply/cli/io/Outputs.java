package dev.ply.cli.io;

import dev.ply.layout.OutputFormat;
import dev.ply.result.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that results are written to: the command's own output, which is the standard output or a
 * file, and further files. Immutable.
 *
 * @param own the command's output
 * @param others at least none
 * @param period of what is shown over time; zero for the end alone
 */
public record Outputs(OutputFile own, List<OutputFile> others, Duration period) {
  private static final Duration USUAL_PERIOD = Duration.ofSeconds(1);

  /** The standard output, in the command's text. */
  public static final Outputs STANDARD =
      new Outputs(new OutputFile(Optional.empty(), OutputFormat.TEXT), List.of());

  /** Outputs with the usual periods. */
  public Outputs(OutputFile own, List<OutputFile> others) {
    this(own, others, USUAL_PERIOD);
  }

  /** Keeps a copy. */
  public Outputs {
    others = List.copyOf(others);
  }

  /**
   * Returns the outputs that options select.
   *
   * @param format of the standard output, and of files whose names tell none
   * @param files none for the standard output alone
   * @param pages files that are pages, whatever their names
   * @throws UsageException if no output has the format, or a file is given twice
   */
  public static Outputs of(Optional<OutputFormat> format, List<Path> files, List<Path> pages)
      throws UsageException {
    List<OutputFile> all = new ArrayList<>();
    for (Path file : files) {
      add(all, "-o " + file, OutputFile.of(file, format));
    }
    for (Path page : pages) {
      add(all, "--html " + page, OutputFile.page(page));
    }
    if (all.isEmpty()) {
      return new Outputs(
          new OutputFile(Optional.empty(), format.orElse(OutputFormat.TEXT)), List.of());
    }
    if (format.isPresent() && all.stream().noneMatch(one -> one.format() == format.get())) {
      throw contradiction(format.get(), all.get(0));
    }
    OutputFile own = own(all);
    all.remove(own);
    return new Outputs(own, all);
  }

  private static void add(List<OutputFile> all, String option, OutputFile output)
      throws UsageException {
    for (OutputFile other : all) {
      if (other.path().equals(output.path())) {
        throw new UsageException(option + " is given twice");
      }
    }
    all.add(output);
  }

  private static UsageException contradiction(OutputFormat format, OutputFile file) {
    String name = file.path().map(Path::toString).orElse("");
    return new UsageException(
        "-f "
            + format.word()
            + " and -o "
            + name
            + " contradict each other: the end of the name means "
            + file.format().word()
            + "; leave out -f"
            + format.endings().stream()
                .findFirst()
                .map(ending -> ", or name the file *" + ending)
                .orElse(""));
  }

  /** The command's own output is the standard output, else one that people read. */
  private static OutputFile own(List<OutputFile> all) {
    return all.stream()
        .filter(output -> output.path().isEmpty())
        .findFirst()
        .or(() -> all.stream().filter(output -> output.format() == OutputFormat.TEXT).findFirst())
        .orElse(all.get(0));
  }

  /** Returns these outputs with periods of what is shown over time; zero for the end alone. */
  public Outputs every(Duration chosen) {
    return new Outputs(own, others, chosen);
  }

  /** Returns whether an output shows maps over time, as they are read on an occasion. */
  public boolean shows(Result.Occasion occasion) {
    for (OutputFormat format : formats()) {
      Optional<Result.Occasion> periods = format.periods();
      if (periods.isPresent() && periods.get() == occasion) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether there is an output of a format. */
  public boolean has(OutputFormat format) {
    return formats().contains(format);
  }

  /** Returns the formats of all outputs. */
  public List<OutputFormat> formats() {
    List<OutputFormat> formats = new ArrayList<>();
    formats.add(own.format());
    others.forEach(other -> formats.add(other.format()));
    return formats;
  }

  /**
   * Redirects the command's output to its file, if it has one.
   *
   * @throws UsageException if the file cannot be written, or a terminal would get what is no text
   */
  public void open(Streams streams) throws UsageException {
    if (own.path().isPresent()) {
      streams.output().redirect(own.path().get(), own.isCompressed());
    } else if (own.format().isBinary() && streams.terminal() == Terminal.SHOWN) {
      throw new UsageException(
          "-f "
              + own.format().word()
              + " writes no text, which a terminal cannot show: -o FILE"
              + own.format().endings().get(0)
              + " writes it to a file");
    }
  }
}
