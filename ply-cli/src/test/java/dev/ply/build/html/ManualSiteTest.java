package dev.ply.build.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.ply.cli.Ply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The site of the source tree's documentation. */
class ManualSiteTest {
  private static final Path ROOT = Path.of("..");

  /** Elements with text, within which no block can be (HTML's phrasing content). */
  private static final Set<String> OF_PHRASES =
      Set.of("p", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "pre", "code", "a", "strong", "em");

  private static final Set<String> BLOCKS =
      Set.of("p", "ul", "ol", "dl", "table", "pre", "blockquote", "h1", "h2", "h3", "h4", "hr");

  private static final Map<String, Set<String>> CHILDREN =
      Map.of(
          "ul", Set.of("li"),
          "ol", Set.of("li"),
          "dl", Set.of("dt", "dd"),
          "table", Set.of("thead", "tbody"),
          "thead", Set.of("tr"),
          "tbody", Set.of("tr"),
          "tr", Set.of("th", "td"));

  @TempDir static Path directory = Path.of("");

  private static final Map<String, Document> PAGES = new TreeMap<>();

  private static Path site() {
    return directory.resolve("site");
  }

  @BeforeAll
  static void make() throws Exception {
    Path man = directory.resolve("man");
    assertThat(
            new Ply(
                    InputStream.nullInputStream(),
                    OutputStream.nullOutputStream(),
                    OutputStream.nullOutputStream())
                .run("manual", "-o", man.toString()))
        .isZero();
    make(site());
    try (Stream<Path> files = Files.walk(site())) {
      for (Path file : files.filter(one -> one.toString().endsWith(".html")).toList()) {
        PAGES.put(site().relativize(file).toString(), parsed(file));
      }
    }
  }

  private static void make(Path site) throws IOException {
    ManualSite.main(
        ROOT.toString(),
        directory.resolve("man").toString(),
        "src/dist/html",
        site.toString(),
        "1.0");
  }

  /** What is well-formed XML is HTML that every browser reads in the same way. */
  private static Document parsed(Path file) throws Exception {
    String text = Files.readString(file);
    assertThat(text).startsWith("<!DOCTYPE html>\n<html lang=\"en\">");
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    builder.setErrorHandler(null);
    return builder.parse(new InputSource(new StringReader(text)));
  }

  private static Document page(String name) {
    return Optional.ofNullable(PAGES.get(name)).orElseThrow();
  }

  private static List<Element> elements(Document page, String tag) {
    NodeList found = page.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  private static Set<String> anchors(Document page) {
    Set<String> anchors = new HashSet<>();
    for (Element element : elements(page, "*")) {
      if (element.hasAttribute("id")) {
        assertThat(anchors.add(element.getAttribute("id")))
            .as("a second " + element.getAttribute("id"))
            .isTrue();
      }
    }
    return anchors;
  }

  @Test
  void everyPageOfTheDocumentationIsThere() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      assertThat(PAGES.keySet())
          .containsAll(
              docs.map(doc -> doc.getFileName().toString())
                  .filter(name -> name.endsWith(".md"))
                  .map(name -> name.replace(".md", ".html"))
                  .toList())
          .contains("index.html", "CHANGELOG.html", "ply-cli.html")
          .contains("man/ply.1.html", "man/ply-language.7.html", "man/ply-tool-opensnoop.1.html")
          .anyMatch(page -> page.startsWith("decisions/"));
    }
    String first = elements(page("index.html"), "h1").get(0).getTextContent();
    assertThat(first).startsWith("ply");
  }

  @Test
  void everyLinkIsToAPageAndAnAnchorThatExist() {
    Map<String, Set<String>> anchors = new TreeMap<>();
    PAGES.forEach((name, page) -> anchors.put(name, anchors(page)));
    PAGES.forEach(
        (name, page) -> {
          for (Element link : elements(page, "a")) {
            String href = link.getAttribute("href");
            if (href.startsWith("https://")) {
              assertThat(link.getAttribute("rel")).isEqualTo("noreferrer");
            } else {
              assertTarget(name, href, anchors);
            }
          }
          for (String tag : List.of("link", "script")) {
            for (Element element : elements(page, tag)) {
              String file = element.getAttribute(tag.equals("link") ? "href" : "src");
              assertThat(site().resolve(name).resolveSibling(file)).exists();
            }
          }
        });
  }

  private static void assertTarget(String page, String href, Map<String, Set<String>> anchors) {
    int hash = href.indexOf('#');
    String file = hash < 0 ? href : href.substring(0, hash);
    String target =
        file.isEmpty() ? page : Path.of(page).resolveSibling(file).normalize().toString();
    assertThat(site().resolve(target)).as(page + " has a link " + href).isRegularFile();
    if (hash >= 0) {
      assertThat(anchors.get(target))
          .as(page + " has a link " + href)
          .contains(href.substring(hash + 1));
    }
  }

  @Test
  void elementsAreWhereTheyMayBe() {
    PAGES.forEach(
        (name, page) -> {
          for (Element element : elements(page, "*")) {
            if (!(element.getParentNode() instanceof Element parent)) {
              continue;
            }
            String at = name + ": " + element.getTagName() + " in " + parent.getTagName();
            if (CHILDREN.containsKey(parent.getTagName())) {
              assertThat(CHILDREN.get(parent.getTagName())).as(at).contains(element.getTagName());
            }
            if (OF_PHRASES.contains(parent.getTagName())) {
              assertThat(BLOCKS).as(at).doesNotContain(element.getTagName());
            }
            assertThat(element.getTagName().equals("a") && parent.getTagName().equals("a"))
                .as(at)
                .isFalse();
          }
          assertThat(elements(page, "h1")).as(name).hasSize(1);
          assertThat(elements(page, "title").get(0).getTextContent()).as(name).isNotBlank();
        });
  }

  /** The policy lets browsers load nothing else, and run nothing that is within a page. */
  @Test
  void pagesRequestNothingFromAnywhere() throws IOException {
    PAGES.forEach(
        (name, page) -> {
          assertThat(elements(page, "meta"))
              .as(name)
              .anyMatch(
                  meta ->
                      meta.getAttribute("http-equiv").equals("Content-Security-Policy")
                          && meta.getAttribute("content").startsWith("default-src 'none'; ")
                          && !meta.getAttribute("content").contains("unsafe"));
          assertThat(elements(page, "style")).isEmpty();
          assertThat(elements(page, "img")).isEmpty();
          for (Element script : elements(page, "script")) {
            assertThat(script.getTextContent()).isEmpty();
            assertThat(script.getAttribute("src")).matches("(\\.\\./)*[a-z-]+\\.js");
          }
          for (Element element : elements(page, "*")) {
            for (int i = 0; i < element.getAttributes().getLength(); i++) {
              assertThat(element.getAttributes().item(i).getNodeName())
                  .doesNotStartWith("on")
                  .isNotEqualTo("style");
            }
          }
        });
    for (String file : List.of("style.css", "search.js")) {
      assertThat(Files.readString(site().resolve(file)))
          .doesNotContain("http:", "https:", "url(", "@import", "innerHTML", "fetch(", "eval(");
    }
    assertThat(Files.readString(site().resolve("style.css")))
        .contains("prefers-color-scheme: dark");
  }

  @Test
  void theIndexFindsSections() throws IOException {
    String script = Files.readString(site().resolve("search-index.js"));
    String prefix = "window.searchIndex = ";
    assertThat(script).startsWith(prefix).endsWith("];\n").doesNotContain("</");
    JsonArray index =
        JsonParser.parseString(script.substring(prefix.length(), script.length() - 2))
            .getAsJsonArray();
    Map<String, Set<String>> anchors = new TreeMap<>();
    PAGES.forEach((name, page) -> anchors.put(name, anchors(page)));
    List<String> titles = new ArrayList<>();
    for (JsonElement element : index) {
      JsonArray entry = element.getAsJsonArray();
      assertThat(entry).hasSize(4);
      assertTarget("index.html", entry.get(2).getAsString(), anchors);
      titles.add(entry.get(0).getAsString() + " | " + entry.get(2).getAsString());
    }
    assertThat(titles)
        .contains("kprobe | LANGUAGE.html#kprobe", "quantize | LANGUAGE.html#quantize")
        .contains("What to show | man/ply-tool-opensnoop.1.html#what-to-show")
        .anyMatch(title -> title.startsWith("Emacs | EDITORS.html#"));
  }

  /** What the search of a page in a directory shows, by a JavaScript engine without a browser. */
  @Test
  void theSearchShowsTheBestFirst() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "node"))),
        "node is not installed");
    Path shim =
        Files.writeString(
            directory.resolve("shim.js"),
            """
            const element = () => ({
              hidden: true, children: [], listeners: {}, value: '',
              addEventListener(name, run) { this.listeners[name] = run; },
              replaceChildren(...all) { this.children = all; },
              append(...all) { this.children.push(...all); },
            });
            const byId = { search: element(), found: element() };
            global.window = global;
            global.document = {
              currentScript: { getAttribute: () => '../' },
              getElementById: (id) => byId[id],
              createElement: element,
              addEventListener() {},
            };
            require(process.argv[2] + '/search-index.js');
            require(process.argv[2] + '/search.js');
            for (const words of process.argv.slice(3)) {
              byId.search.value = words;
              byId.search.listeners.input();
              const first = byId.found.children[0];
              console.log(byId.found.hidden, first ? first.children[0]?.href ?? first.textContent : '');
            }
            """);
    Process node =
        new ProcessBuilder(
                "node",
                shim.toString(),
                site().toAbsolutePath().toString(),
                "quantize",
                "Opensnoop options",
                "no-such-word-at-all",
                " ")
            .redirectErrorStream(true)
            .start();
    assertThat(new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
        .containsExactly(
            "false ../LANGUAGE.html#quantize",
            "false ../man/ply-tool-opensnoop.1.html#synopsis",
            "false Nothing has all of these words.",
            "true ");
  }

  @Test
  void scriptsHaveColours() {
    assertThat(elements(page("LANGUAGE.html"), "span"))
        .extracting(span -> span.getAttribute("class"))
        .contains("s", "k", "f", "v", "p", "m", "n");
    assertThat(CodeColours.html("BEGIN { print(\"<%d>\"); } // <b>"))
        .isEqualTo(
            "<span class=\"p\">BEGIN</span> { <span class=\"f\">print</span>(<span"
                + " class=\"s\">&quot;&lt;</span><span class=\"e\">%d</span><span"
                + " class=\"s\">&gt;&quot;</span>); } <span class=\"c\">// &lt;b&gt;</span>");
  }

  @Test
  void twoSitesAreEqual() throws IOException {
    Path other = directory.resolve("other");
    make(other);
    try (Stream<Path> files = Files.walk(site())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(other.resolve(site().relativize(file).toString())).hasSameBinaryContentAs(file);
      }
    }
  }

  @Test
  void anchorsAreThoseOfGitHub() {
    Anchors anchors = new Anchors();
    assertThat(anchors.next("Not supported yet")).isEqualTo("not-supported-yet");
    assertThat(anchors.next("`ply -e`: what's new?")).isEqualTo("ply--e-whats-new");
    assertThat(anchors.next("for map")).isEqualTo("for-map");
    assertThat(anchors.next("for map")).isEqualTo("for-map-1");
  }

  @Test
  void macrosOfManAreElements() {
    RoffPage page =
        new RoffPage(
            "x(1)",
            """
            .TH "X" 1 "" "" ""
            .SH "OPTIONS"
            .TP
            \\fB\\-a\\fR \\fIB\\fR
            does <this>.
            .TQ
            .SH "SEE ALSO"
            .BR "ply" "(1),"
            .BR "none" "(8)"
            """
                .replace(".TQ\n", ""),
            name -> name.equals("ply(1)") ? Optional.of("ply.1.html") : Optional.empty());
    assertThat(page.body())
        .contains("<dt><strong>-a</strong> <em>B</em></dt>\n<dd><p>does &lt;this&gt;.\n</p>\n</dd>")
        .contains("<a href=\"ply.1.html\">ply(1)</a>,")
        .contains("none(8)");
  }
}
