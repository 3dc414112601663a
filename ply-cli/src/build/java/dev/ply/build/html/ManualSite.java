package dev.ply.build.html;

import dev.ply.build.html.SitePage.Group;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Makes the site of all documentation: README, the pages of docs, the manual pages of all commands
 * and tools. The same files give the same bytes.
 */
public final class ManualSite {
  private static final String INDEX = "index.html";

  /** The order of the guide; pages that are not named follow. */
  private static final List<String> ORDER =
      List.of(
          "README.md",
          "docs/INSTALL.md",
          "docs/LANGUAGE.md",
          "docs/TOOLS.md",
          "docs/EDITORS.md",
          "docs/FROM-BPFTRACE.md",
          "docs/BPFTRACE.md");

  private final Path root;

  /** The files of pages by those that they are made of. */
  private final Map<String, String> files = new LinkedHashMap<>();

  private ManualSite(Path root) {
    this.root = root;
  }

  /**
   * Makes the site.
   *
   * @param arguments the root of the source tree, the directory of manual pages, that of the site's
   *     own files, the one to write, and the version
   * @throws IOException if a file cannot be read or written, or a link is to nothing
   */
  public static void main(String... arguments) throws IOException {
    Path site = Path.of(arguments[3]);
    Files.createDirectories(site);
    try (Stream<Path> own = Files.list(Path.of(arguments[2]))) {
      for (Path file : own.toList()) {
        Files.copy(file, site.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    ManualSite manual = new ManualSite(Path.of(arguments[0]));
    Files.copy(
        manual.root.resolve("LICENSE"),
        site.resolve("LICENSE.txt"),
        StandardCopyOption.REPLACE_EXISTING);
    List<SitePage> pages = new ArrayList<>(manual.written());
    pages.addAll(generated(Path.of(arguments[1])));
    new SiteWriter(site, pages, arguments[4]).write();
  }

  private List<SitePage> written() throws IOException {
    List<String> sources = sources();
    for (String source : sources) {
      files.put(source, file(source));
    }
    files.put("LICENSE", "LICENSE.txt");
    List<SitePage> pages = new ArrayList<>();
    for (String source : sources) {
      String file = file(source);
      MarkdownPage page =
          new MarkdownPage(
              Files.readString(root.resolve(source)), link -> link(source, file, link));
      pages.add(
          new SitePage(
              file, group(source), title(source, page.title()), page.body(), page.sections()));
    }
    return pages;
  }

  private List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    try (Stream<Path> found = Files.walk(root, 3)) {
      found
          .map(path -> root.relativize(path).toString())
          .filter(ManualSite::isPage)
          .sorted(
              Comparator.comparingInt(
                      (String source) ->
                          ORDER.contains(source) ? ORDER.indexOf(source) : ORDER.size())
                  .thenComparing(source -> source))
          .forEach(sources::add);
    }
    return sources;
  }

  private static boolean isPage(String path) {
    return path.matches("(README|CHANGELOG|CONTRIBUTING)\\.md|ply-[a-z]+/[A-Z-]+\\.md")
        || path.matches("docs/([A-Z-]+|decisions/[a-z0-9-]+)\\.md");
  }

  /** Returns the page's path in the site. */
  private static String file(String source) {
    String name = source.replaceFirst("^docs/", "").replaceFirst("\\.md$", ".html");
    return name.equals("README.html") ? INDEX : name.replaceFirst("/README\\.html$", ".html");
  }

  private static Group group(String source) {
    if (source.startsWith("docs/decisions/")) {
      return Group.DECISIONS;
    }
    boolean isOfDevelopment =
        source.startsWith("ply-")
            || source.equals("CONTRIBUTING.md")
            || source.equals("docs/ARCHITECTURE.md");
    return isOfDevelopment ? Group.DEVELOPMENT : Group.GUIDE;
  }

  private static String title(String source, String heading) {
    return source.equals("README.md") ? "Overview" : heading;
  }

  /**
   * Returns a link of a page as one of the site; an external one stays, and one to what only the
   * source tree has is none.
   */
  private Optional<String> link(String source, String file, String link) {
    if (link.contains("://") || link.startsWith("#")) {
      return Optional.of(link);
    }
    String path = link.replaceFirst("#.*", "");
    String anchor = link.substring(path.length());
    Path directory = Optional.ofNullable(Path.of(source).getParent()).orElse(Path.of(""));
    String target = directory.resolve(path).normalize().toString();
    if (!Files.exists(root.resolve(target))) {
      throw new IllegalArgumentException(source + " has a link to nothing: " + link);
    }
    return Optional.ofNullable(files.get(target))
        .map(found -> SitePage.relative(file, found) + anchor);
  }

  /** Returns the manual pages of a directory: {@code ply.1.gz} and the like. */
  private static List<SitePage> generated(Path directory) throws IOException {
    Map<String, String> names = new LinkedHashMap<>();
    try (Stream<Path> found = Files.list(directory)) {
      found
          .map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".gz"))
          .sorted()
          .forEach(
              name -> {
                String page = name.replaceFirst("\\.gz$", "");
                String reference = page.replaceFirst("\\.(\\d)$", "($1)");
                names.put(reference, "man/" + page + ".html");
              });
    }
    List<SitePage> pages = new ArrayList<>();
    for (Map.Entry<String, String> one : names.entrySet()) {
      String file = one.getValue();
      String name = file.substring("man/".length(), file.length() - ".html".length());
      RoffPage page =
          new RoffPage(
              one.getKey(),
              text(directory.resolve(name + ".gz")),
              reference ->
                  Optional.ofNullable(names.get(reference))
                      .map(target -> SitePage.relative(file, target)));
      Group group = name.startsWith("ply-tool-") ? Group.TOOLS : Group.COMMANDS;
      pages.add(new SitePage(file, group, one.getKey(), page.body(), page.sections()));
    }
    return pages;
  }

  private static String text(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
