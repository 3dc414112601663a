package dev.ply.build.html;

import java.util.List;

/**
 * A page of the site.
 *
 * @param file its path from the site's root
 * @param group the list that it is in
 * @param title as the list has it
 * @param body the HTML of its content
 * @param sections what a search finds
 */
record SitePage(String file, Group group, String title, String body, List<Section> sections) {
  /** Keeps a copy of the sections. */
  SitePage {
    sections = List.copyOf(sections);
  }

  /** The lists of pages, in their order. */
  enum Group {
    /** How ply is used. */
    GUIDE("Guide"),
    /** Manual pages of commands. */
    COMMANDS("Commands"),
    /** Manual pages of tools. */
    TOOLS("Tools"),
    /** How ply is made. */
    DEVELOPMENT("Development"),
    /** One decision on a page. */
    DECISIONS("Decisions");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /**
   * A heading, with what is below it up to the next.
   *
   * @param anchor empty for the page's beginning
   * @param text without marks
   */
  record Section(String anchor, String title, String text) {}

  /** Returns the path from a page's directory to another page or file. */
  static String relative(String from, String to) {
    int depth = (int) from.chars().filter(c -> c == '/').count();
    return "../".repeat(depth) + to;
  }

  /** Returns the path from this page to the site's root, empty or with a slash at its end. */
  String root() {
    return relative(file, "");
  }

  /** Returns text in which nothing has a meaning for HTML. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
