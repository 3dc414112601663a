package dev.ply.cli.tool;

import dev.ply.cli.option.Filter;
import dev.ply.layout.Column;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What the first comment of a tool's script declares.
 *
 * @param summary what it shows, in a few words
 * @param description sentences, in paragraphs with empty lines between them
 * @param options its own
 * @param filters the options that restrict what is traced
 * @param interval the seconds between two outputs of its maps unless given, 0 for only one at the
 *     end; empty if it has none
 * @param operand what it takes besides options
 * @param library the name of a library in the traced process
 * @param tables the columns of its results
 * @param scratch names of maps that are not shown at the end
 * @param needs what the kernel has to have
 * @param examples lines, a command and what it shows
 */
record ToolHeader(
    String summary,
    String description,
    List<ToolOption> options,
    Set<Filter> filters,
    OptionalInt interval,
    Optional<ToolOperand> operand,
    Optional<String> library,
    List<ToolTable> tables,
    List<String> scratch,
    List<Need> needs,
    List<String> examples) {
  /** Keeps copies. */
  ToolHeader {
    options = List.copyOf(options);
    filters = Set.copyOf(filters);
    tables = List.copyOf(tables);
    scratch = List.copyOf(scratch);
    needs = List.copyOf(needs);
    examples = List.copyOf(examples);
  }

  /**
   * An option that the script reads by {@code getopt}, or that shows a column.
   *
   * @param letter after one dash; empty if none
   * @param name after two dashes
   * @param argument the name of its value; empty for one that is given or not
   * @param usual the value unless given
   */
  record ToolOption(
      String letter, String name, Optional<String> argument, String usual, String sentence) {}

  /** What follows the options: a function, for whose entry or return a probe stands. */
  enum ToolOperand {
    /** Its entry. */
    ENTRY,
    /** Its return. */
    RETURN
  }

  /**
   * The columns of a tool's rows, or of one of its maps.
   *
   * @param map its name, empty for the rows of {@code print}
   */
  record ToolTable(String map, List<ToolColumn> columns) {
    ToolTable {
      columns = List.copyOf(columns);
    }
  }

  /**
   * A column.
   *
   * @param option shows it; empty if it is always shown
   * @param sentence what its values are
   */
  record ToolColumn(Column column, Optional<String> option, String sentence) {}
}
