package dev.ply.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A manual page.
 *
 * @param name without the section
 * @param section of the manual
 * @param text in the macros of {@code man}
 */
public record ManualPage(String name, int section, String text) {
  /**
   * What all pages of a build have in common.
   *
   * @param version of ply
   * @param date of that version, such as 2026-01-31; empty if unknown
   */
  public record Edition(String version, String date) {
    /** Checks the date. */
    public Edition {
      if (!date.matches("(\\d{4}-\\d{2}-\\d{2})?")) {
        throw new IllegalArgumentException("no date: " + date);
      }
    }
  }

  /** {@return the name of its file, without directories} */
  public String file() {
    return name + "." + section;
  }

  /** {@return the page of a command} */
  public static ManualPage of(CommandManual manual, Edition edition) {
    Roff roff = begin(manual.page(), 1, edition, "User Commands", manual.summary());
    roff.macro("SH", "SYNOPSIS");
    boolean isFirst = true;
    for (String form : manual.forms()) {
      if (!isFirst) {
        roff.macro("br");
      }
      isFirst = false;
      roff.raw(Roff.bold(manual.command()) + " " + Roff.escaped(form));
    }
    roff.macro("SH", "DESCRIPTION").body(paragraphs(manual.description()), "PP");
    if (!manual.options().isEmpty()) {
      roff.macro("SH", "OPTIONS");
    }
    for (OptionGroup group : manual.options()) {
      roff.macro("SS", group.title());
      group.options().forEach(option -> append(roff, option));
    }
    manual.sections().forEach(section -> append(roff, section));
    seeAlso(roff, manual.seeAlso());
    return new ManualPage(manual.page(), 1, roff.toString());
  }

  /** {@return a page up to its name} */
  static Roff begin(String page, int section, Edition edition, String volume, String summary) {
    String title = Roff.escaped(page.toUpperCase(Locale.ROOT));
    String source = Roff.escaped("ply " + edition.version());
    return new Roff()
        // A date is no text: formatters read it.
        .raw(
            ".TH \"%s\" %d \"%s\" \"%s\" \"%s\""
                .formatted(title, section, edition.date(), source, volume))
        .macro("SH", "NAME")
        .raw(Roff.escaped(page) + " \\- " + Roff.escaped(summary));
  }

  /** Appends the references to other pages. */
  static void seeAlso(Roff roff, List<String> pages) {
    if (pages.isEmpty()) {
      return;
    }
    roff.macro("SH", "SEE ALSO");
    for (int i = 0; i < pages.size(); i++) {
      String page = pages.get(i);
      int bracket = page.indexOf('(');
      roff.macro(
          "BR",
          page.substring(0, bracket),
          page.substring(bracket) + (i + 1 < pages.size() ? "," : ""));
    }
  }

  /** {@return the paragraphs of a text} */
  static List<String> paragraphs(String text) {
    return List.of(text.split("\n\n", -1));
  }

  private static void append(Roff roff, CommandOption option) {
    List<String> names = new ArrayList<>();
    String value = option.argument().map(ManualPage::value).orElse("");
    option.spellings().forEach(spelling -> names.add(Roff.bold(spelling)));
    roff.macro("TP").raw(String.join(", ", names) + value).paragraph(option.sentence() + ".");
    option
        .argument()
        .filter(argument -> !argument.choices().isEmpty())
        .filter(argument -> !argument.choices().stream().allMatch(option.sentence()::contains))
        .ifPresent(
            argument ->
                roff.paragraph(
                    argument.name() + " is " + String.join(", ", argument.choices()) + "."));
  }

  private static String value(Argument argument) {
    String name = Roff.italic(argument.name());
    return argument.isOptional() ? "[=" + name + "]" : " " + name;
  }

  private static void append(Roff roff, Section section) {
    roff.macro("SH", section.title().toUpperCase(Locale.ROOT));
    if (section instanceof Section.Lines lines) {
      roff.verbatim(lines.text());
    } else if (section instanceof Section.Terms terms) {
      for (Section.Term term : terms.terms()) {
        roff.macro("TP").raw(Roff.bold(term.name())).paragraph(term.meaning());
      }
    }
  }
}
