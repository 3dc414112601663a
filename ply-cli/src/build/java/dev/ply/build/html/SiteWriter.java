package dev.ply.build.html;

import com.google.gson.JsonArray;
import dev.ply.build.html.SitePage.Group;
import dev.ply.build.html.SitePage.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Writes pages, each with the list of all, and the index that their search reads. */
final class SiteWriter {
  /**
   * Nothing is requested from anywhere but the site itself, which may be files; and no page has
   * scripts or styles within.
   */
  private static final String POLICY =
      "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none';"
          + " form-action 'none'";

  private final Path directory;
  private final List<SitePage> pages;
  private final String version;

  /** Creates the writer of a site. */
  SiteWriter(Path directory, List<SitePage> pages, String version) {
    this.directory = directory;
    this.pages = List.copyOf(pages);
    this.version = version;
  }

  /** Returns what a heading ends with: a link to itself. */
  static String anchorLink(String anchor) {
    return " <a class=\"anchor\" href=\"#"
        + SitePage.escaped(anchor)
        + "\" aria-label=\"Link to this section\">#</a>";
  }

  /** Writes everything. */
  void write() throws IOException {
    for (SitePage page : pages) {
      Path file = directory.resolve(page.file());
      Files.createDirectories(file.getParent());
      Files.writeString(file, html(page));
    }
    Files.writeString(
        directory.resolve("search-index.js"), "window.searchIndex = " + index() + ";\n");
  }

  private String html(SitePage page) {
    String root = page.root();
    return """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="%s" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>%s</title>
    <link rel="stylesheet" href="%sstyle.css" />
    <script src="%ssearch-index.js" defer="defer"></script>
    <script src="%ssearch.js" defer="defer" data-root="%s"></script>
    </head>
    <body>
    <header>
    <a href="%sindex.html">ply %s</a>
    <input id="search" type="search" hidden="hidden" placeholder="Search" aria-label="Search" />
    <ul id="found" hidden="hidden"></ul>
    </header>
    <nav aria-label="Pages">
    %s</nav>
    <main>
    %s</main>
    </body>
    </html>
    """
        .formatted(
            POLICY,
            SitePage.escaped(page.title() + " \u2013 ply"),
            root,
            root,
            root,
            root,
            root,
            SitePage.escaped(version),
            list(page),
            page.body());
  }

  private String list(SitePage page) {
    StringBuilder list = new StringBuilder();
    for (Group group : Group.values()) {
      boolean isOpen = group == page.group() || group == Group.GUIDE;
      list.append(isOpen ? "<details open=\"open\">" : "<details>")
          .append("<summary>")
          .append(group.title())
          .append("</summary>\n<ul>\n");
      pages.stream()
          .filter(one -> one.group() == group)
          .forEach(
              one ->
                  list.append("<li><a href=\"")
                      .append(SitePage.relative(page.file(), one.file()))
                      .append(one.equals(page) ? "\" aria-current=\"page\">" : "\">")
                      .append(SitePage.escaped(one.title()))
                      .append("</a></li>\n"));
      list.append("</ul>\n</details>\n");
    }
    return list.toString();
  }

  /** Each entry is a title, the page's title, a link and the words below. */
  private String index() {
    JsonArray index = new JsonArray();
    for (SitePage page : pages) {
      for (Section section : page.sections()) {
        JsonArray entry = new JsonArray();
        entry.add(section.title());
        entry.add(page.title());
        entry.add(page.file() + (section.anchor().isEmpty() ? "" : "#" + section.anchor()));
        entry.add(words(section.text()));
        index.add(entry);
      }
    }
    return index.toString();
  }

  private static String words(String text) {
    return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}_:@$*.+-]+", -1))
        .filter(word -> word.length() > 1)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(" "));
  }
}
