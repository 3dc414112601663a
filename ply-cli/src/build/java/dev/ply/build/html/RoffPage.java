package dev.ply.build.html;

import dev.ply.build.html.SitePage.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A manual page, in the macros of man that ply's pages have. */
final class RoffPage {
  private static final Pattern ARGUMENT = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final Pattern REFERENCE = Pattern.compile("([\\w-]+)\\((\\d)\\)");
  private static final Pattern ESCAPE =
      Pattern.compile("\\\\(?:f([BIR])|\\((..)|\\[u([0-9A-F]{4,6})]|([-e&]))");

  private final Function<String, Optional<String>> links;
  private final Anchors anchors = new Anchors();
  private final StringBuilder html = new StringBuilder();
  private final List<Section> sections = new ArrayList<>();
  private final StringBuilder sectionText = new StringBuilder();
  private String sectionAnchor = "";
  private String sectionTitle = "";

  private boolean isInParagraph;
  private boolean isInTerms;
  private boolean isInMeaning;
  private boolean isInList;
  private boolean isInItem;
  private boolean isTermNext;
  private boolean isVerbatim;

  /**
   * Reads a page.
   *
   * @param name with its section, {@code ply(1)}
   * @param links finds the pages of such names
   */
  RoffPage(String name, String roff, Function<String, Optional<String>> links) {
    this.links = links;
    sectionTitle = name;
    html.append("<h1 id=\"top\">").append(SitePage.escaped(name)).append("</h1>\n");
    roff.lines().forEach(this::line);
    closeAll();
    endSection();
  }

  /** Returns the HTML of all. */
  String body() {
    return html.toString();
  }

  /** Returns what is below each heading, without marks. */
  List<Section> sections() {
    return List.copyOf(sections);
  }

  private void line(String line) {
    if (line.startsWith(".")) {
      int space = line.indexOf(' ');
      macro(
          space < 0 ? line.substring(1) : line.substring(1, space),
          space < 0 ? "" : line.substring(space + 1));
      return;
    }
    sectionText.append(plain(line)).append(' ');
    if (isVerbatim) {
      html.append(inline(line)).append('\n');
    } else if (isTermNext) {
      html.append("<dt>").append(inline(line)).append("</dt>\n");
      isTermNext = false;
    } else {
      paragraph();
      html.append(withLinks(inline(line))).append('\n');
    }
  }

  private void macro(String name, String arguments) {
    switch (name) {
      case "TH" -> {}
      case "SH" -> heading("h2", arguments);
      case "SS" -> heading("h3", arguments);
      case "TP" -> {
        closeMeaning();
        if (!isInTerms) {
          html.append("<dl>\n");
          isInTerms = true;
        }
        isTermNext = true;
      }
      case "TQ" -> isTermNext = true;
      case "PP" -> closeAll();
      case "IP" -> {
        closeParagraph();
        if (!arguments.isEmpty()) {
          closeItem();
          html.append("<li>");
          isInItem = true;
        }
      }
      case "RS" -> {
        closeParagraph();
        meaning();
        html.append("<ul>\n");
        isInList = true;
      }
      case "RE" -> closeList();
      case "nf" -> {
        closeParagraph();
        meaning();
        html.append("<pre>");
        isVerbatim = true;
      }
      case "fi" -> {
        html.append("</pre>\n");
        isVerbatim = false;
      }
      case "br" -> html.append("<br />");
      case "BR" -> {
        paragraph();
        html.append(withLinks(inline(String.join("", arguments(arguments))))).append('\n');
      }
      default -> throw new IllegalArgumentException("unknown macro ." + name);
    }
  }

  private void heading(String tag, String arguments) {
    closeAll();
    endSection();
    String title = plain(String.join(" ", arguments(arguments)));
    String anchor = anchors.next(title);
    sectionAnchor = anchor;
    sectionTitle = title;
    html.append("<%s id=\"%s\">".formatted(tag, SitePage.escaped(anchor)))
        .append(SitePage.escaped(title))
        .append(SiteWriter.anchorLink(anchor))
        .append("</%s>\n".formatted(tag));
  }

  private void endSection() {
    if (!sectionText.isEmpty()) {
      sections.add(new Section(sectionAnchor, sectionTitle, sectionText.toString()));
      sectionText.setLength(0);
    }
  }

  private static List<String> arguments(String text) {
    List<String> arguments = new ArrayList<>();
    Matcher matcher = ARGUMENT.matcher(text);
    while (matcher.find()) {
      arguments.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    return arguments;
  }

  /** What follows a term is its meaning. */
  private void meaning() {
    if (isInTerms && !isInMeaning) {
      html.append("<dd>");
      isInMeaning = true;
    }
  }

  private void paragraph() {
    meaning();
    if (!isInParagraph) {
      html.append("<p>");
      isInParagraph = true;
    }
  }

  private void closeParagraph() {
    if (isInParagraph) {
      html.append("</p>\n");
      isInParagraph = false;
    }
  }

  private void closeItem() {
    closeParagraph();
    if (isInItem) {
      html.append("</li>\n");
      isInItem = false;
    }
  }

  private void closeList() {
    closeItem();
    if (isInList) {
      html.append("</ul>\n");
      isInList = false;
    }
  }

  private void closeMeaning() {
    closeList();
    closeParagraph();
    if (isInMeaning) {
      html.append("</dd>\n");
      isInMeaning = false;
    }
  }

  private void closeAll() {
    closeMeaning();
    if (isInTerms) {
      html.append("</dl>\n");
      isInTerms = false;
    }
  }

  private static String plain(String line) {
    return decoded(line, false);
  }

  private static String inline(String line) {
    return decoded(line, true);
  }

  private static String decoded(String line, boolean isHtml) {
    StringBuilder text = new StringBuilder();
    String font = "";
    Matcher escape = ESCAPE.matcher(line);
    int at = 0;
    while (escape.find()) {
      text.append(shown(line.substring(at, escape.start()), isHtml));
      at = escape.end();
      if (escape.group(1) != null) {
        if (isHtml && !font.isEmpty()) {
          text.append("</").append(font).append('>');
        }
        font = escape.group(1).equals("B") ? "strong" : escape.group(1).equals("I") ? "em" : "";
        if (isHtml && !font.isEmpty()) {
          text.append('<').append(font).append('>');
        }
      } else {
        text.append(shown(character(escape), isHtml));
      }
    }
    return text.append(shown(line.substring(at), isHtml)).toString();
  }

  private static String shown(String text, boolean isHtml) {
    return isHtml ? SitePage.escaped(text) : text;
  }

  private static String character(Matcher escape) {
    if (escape.group(3) != null) {
      return Character.toString(Integer.parseInt(escape.group(3), 16));
    }
    String name = escape.group(2) == null ? escape.group(4) : escape.group(2);
    return switch (name) {
      case "aq" -> "'";
      case "dq" -> "\"";
      case "ga" -> "`";
      case "ha" -> "^";
      case "ti" -> "~";
      case "bu" -> "\u2022";
      case "-" -> "-";
      case "e" -> "\\";
      case "&" -> "";
      default -> throw new IllegalArgumentException("unknown character " + escape.group());
    };
  }

  private String withLinks(String line) {
    return REFERENCE
        .matcher(line)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    links
                        .apply(found.group())
                        .map(href -> "<a href=\"" + href + "\">" + found.group() + "</a>")
                        .orElse(found.group())));
  }
}
