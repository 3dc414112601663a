package dev.ply.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The declaration of a command line, from which its parser, help, manual page and completion come.
 *
 * @param command the words before its options, such as {@code ply bt}
 * @param summary what it is, in a few words
 * @param forms how it is called, without the command's words
 * @param description sentences, in paragraphs with empty lines between them
 * @param operand what each word that is no option is
 * @param options in groups, in the order that help shows
 * @param sections after the options
 * @param seeAlso other pages, such as {@code ply(1)}
 */
public record CommandManual(
    String command,
    String summary,
    List<String> forms,
    String description,
    Argument operand,
    List<OptionGroup> options,
    List<Section> sections,
    List<String> seeAlso) {
  /** Keeps copies. */
  public CommandManual {
    forms = List.copyOf(forms);
    options = List.copyOf(options);
    sections = List.copyOf(sections);
    seeAlso = List.copyOf(seeAlso);
  }

  /** {@return a declaration without options and sections} */
  public static CommandManual of(
      String command, String summary, Argument operand, String description, String... forms) {
    return new CommandManual(
        command, summary, List.of(forms), description, operand, List.of(), List.of(), List.of());
  }

  /** {@return this declaration of the same command by another name} */
  public CommandManual called(String name) {
    return new CommandManual(
        name, summary, forms, description, operand, options, sections, seeAlso);
  }

  /** {@return this declaration with another group of options} */
  public CommandManual with(String title, CommandOption... group) {
    List<OptionGroup> groups = new ArrayList<>(options);
    groups.add(OptionGroup.of(title, group));
    return new CommandManual(
        command, summary, forms, description, operand, groups, sections, seeAlso);
  }

  /** {@return this declaration with another section} */
  public CommandManual with(Section section) {
    List<Section> more = new ArrayList<>(sections);
    more.add(section);
    return new CommandManual(command, summary, forms, description, operand, options, more, seeAlso);
  }

  /** {@return this declaration with references to other pages} */
  public CommandManual seeAlso(String... pages) {
    return new CommandManual(
        command, summary, forms, description, operand, options, sections, List.of(pages));
  }

  /** {@return the name of its page, such as {@code ply-bt}} */
  public String page() {
    return command.replace(' ', '-');
  }

  /** {@return the options of all groups} */
  public Stream<CommandOption> allOptions() {
    return options.stream().flatMap(group -> group.options().stream());
  }
}
