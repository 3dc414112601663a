package dev.ply.cli.tool;

import dev.ply.cli.option.Filter;
import dev.ply.cli.tool.ToolHeader.ToolColumn;
import dev.ply.cli.tool.ToolHeader.ToolOperand;
import dev.ply.cli.tool.ToolHeader.ToolOption;
import dev.ply.cli.tool.ToolHeader.ToolTable;
import dev.ply.layout.Column;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the header of a tool: the comment lines, {@code #}, at the start of its script. The first
 * is its name and summary; paragraphs describe it; then come sections, each a word with a colon.
 */
final class HeaderReader {
  private static final Pattern TITLE = Pattern.compile("([a-z][a-z0-9-]*): (.+)");
  private static final Pattern SECTION = Pattern.compile("([a-z]+)(?: (@\\w*))?:(?: +(.*))?");

  /** A letter, a name, a value and its default, and at least two blanks before the sentence. */
  private static final Pattern OPTION =
      Pattern.compile("(?:-([A-Za-z]), )?--([a-z][a-z-]*)(?: ([A-Z]+)(?:=(\\S+))?)? {2,}(\\S.*)");

  private static final Pattern COLUMN =
      Pattern.compile("([^\\s:]+)(?::(>?)(\\d+)(?:-(\\d+))?)?(?: if ([a-z-]+))? {2,}(\\S.*)");

  private final String name;
  private String summary = "";
  private final StringBuilder description = new StringBuilder();
  private final List<ToolOption> options = new ArrayList<>();
  private final Set<Filter> filters = EnumSet.noneOf(Filter.class);
  private OptionalInt interval = OptionalInt.empty();
  private Optional<ToolOperand> operand = Optional.empty();
  private Optional<String> library = Optional.empty();
  private final List<ToolTable> tables = new ArrayList<>();
  private final List<String> scratch = new ArrayList<>();
  private final List<Need> needs = new ArrayList<>();
  private final List<String> examples = new ArrayList<>();

  private HeaderReader(String name) {
    this.name = name;
  }

  /**
   * Reads a header.
   *
   * @param name of the tool
   * @throws HeaderException if it is not one
   */
  static ToolHeader read(String name, String script) throws HeaderException {
    HeaderReader reader = new HeaderReader(name);
    reader.read(script);
    return new ToolHeader(
        reader.summary,
        reader.description.toString().strip(),
        reader.options,
        reader.filters,
        reader.interval,
        reader.operand,
        reader.library,
        reader.tables,
        reader.scratch,
        reader.needs,
        reader.examples);
  }

  private void read(String script) throws HeaderException {
    String section = "";
    int number = 0;
    for (String line : script.lines().toList()) {
      number++;
      if (line.startsWith("#!") && number == 1) {
        continue;
      }
      if (!line.startsWith("#") || line.startsWith("#define") || line.startsWith("#if")) {
        break;
      }
      String text = line.substring(1).replaceFirst("^ ", "");
      if (summary.isEmpty()) {
        title(text, number);
        continue;
      }
      Matcher heading = SECTION.matcher(text);
      if (heading.matches()) {
        section = heading.group(1);
        begin(
            section,
            Optional.ofNullable(heading.group(2)),
            Optional.ofNullable(heading.group(3)).orElse(""),
            number);
      } else if (section.isEmpty()) {
        description.append(text).append('\n');
      } else if (!text.isBlank()) {
        add(section, text.strip(), number);
      }
    }
    if (summary.isEmpty()) {
      throw new HeaderException(number, "a tool begins with a line \"# " + name + ": SUMMARY\"");
    }
  }

  private void title(String text, int line) throws HeaderException {
    Matcher title = TITLE.matcher(text);
    if (!title.matches() || !title.group(1).equals(name)) {
      throw new HeaderException(line, "a tool begins with a line \"# " + name + ": SUMMARY\"");
    }
    summary = title.group(2);
  }

  private void begin(String section, Optional<String> map, String rest, int line)
      throws HeaderException {
    switch (section) {
      case "options", "examples" -> {}
      case "columns" -> tables.add(new ToolTable(map.orElse(""), List.of()));
      case "filters" -> {
        for (String word : rest.split(" ", -1)) {
          filters.add(
              Filter.named(word)
                  .orElseThrow(
                      () ->
                          new HeaderException(
                              line, "unknown filter " + word + "; known are " + Filter.words())));
        }
      }
      case "interval" -> {
        if (!rest.matches("\\d{1,6}")) {
          throw new HeaderException(line, "interval takes a number of seconds, or 0");
        }
        interval = OptionalInt.of(Integer.parseInt(rest));
      }
      case "operand" -> operand = Optional.of(operand(rest, line));
      case "library" -> {
        if (rest.contains("/") || rest.isEmpty()) {
          throw new HeaderException(
              line, "library takes a file name without directories, such as libjvm.so");
        }
        library = Optional.of(rest);
      }
      case "scratch" -> addScratch(rest, line);
      case "needs" -> addNeeds(rest, line);
      default ->
          throw new HeaderException(
              line,
              "unknown section \""
                  + section
                  + "\"; known are options, filters, interval, operand, library, columns, scratch,"
                  + " needs and examples");
    }
  }

  private void add(String section, String text, int line) throws HeaderException {
    switch (section) {
      case "options" -> options.add(option(text, line));
      case "columns" -> {
        ToolTable last = tables.remove(tables.size() - 1);
        List<ToolColumn> columns = new ArrayList<>(last.columns());
        columns.add(column(text, line));
        tables.add(new ToolTable(last.map(), columns));
      }
      case "scratch" -> addScratch(text, line);
      case "needs" -> addNeeds(text, line);
      case "examples" -> examples.add(text);
      default -> throw new HeaderException(line, section + ": takes one line");
    }
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" +", -1));
  }

  private void addScratch(String text, int line) throws HeaderException {
    for (String map : words(text)) {
      if (!map.matches("@\\w*")) {
        throw new HeaderException(line, "scratch takes maps, such as @start, not \"" + map + "\"");
      }
      scratch.add(map);
    }
  }

  private void addNeeds(String text, int line) throws HeaderException {
    for (String word : words(text)) {
      needs.add(
          Need.of(word)
              .orElseThrow(
                  () ->
                      new HeaderException(
                          line, "needs takes " + Need.FORMS + ", not \"" + word + "\"")));
    }
  }

  private static ToolOperand operand(String word, int line) throws HeaderException {
    return switch (word) {
      case "entry" -> ToolOperand.ENTRY;
      case "return" -> ToolOperand.RETURN;
      default -> throw new HeaderException(line, "operand takes entry or return, of a function");
    };
  }

  private static ToolOption option(String text, int line) throws HeaderException {
    Matcher option = OPTION.matcher(text);
    if (!option.matches()) {
      throw new HeaderException(
          line, "an option is \"-x, --name VALUE=DEFAULT  sentence\", not \"" + text + "\"");
    }
    return new ToolOption(
        Optional.ofNullable(option.group(1)).orElse(""),
        option.group(2),
        Optional.ofNullable(option.group(3)),
        Optional.ofNullable(option.group(4)).orElse(""),
        option.group(5));
  }

  private static ToolColumn column(String text, int line) throws HeaderException {
    Matcher column = COLUMN.matcher(text);
    if (!column.matches()) {
      throw new HeaderException(
          line, "a column is \"NAME:WIDTH if option  sentence\", not \"" + text + "\"");
    }
    return new ToolColumn(
        new Column(
            column.group(1),
            number(Optional.ofNullable(column.group(3))),
            number(Optional.ofNullable(column.group(4))),
            ">".equals(column.group(2)) ? Column.Alignment.RIGHT : Column.Alignment.LEFT,
            true),
        Optional.ofNullable(column.group(5)),
        column.group(6));
  }

  private static OptionalInt number(Optional<String> digits) {
    return digits.stream().mapToInt(Integer::parseInt).findFirst();
  }
}
