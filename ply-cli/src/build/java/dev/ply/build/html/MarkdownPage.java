package dev.ply.build.html;

import dev.ply.build.html.SitePage.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;

/** A page that is written in Markdown. */
final class MarkdownPage {
  private static final Set<String> SCRIPTS = Set.of("ply", "bpftrace");

  private final Node document;
  private final Function<String, Optional<String>> links;
  private final Map<Heading, String> anchors = new LinkedHashMap<>();

  /**
   * Reads a page.
   *
   * @param links makes links of the site of those that the page has; empty for those that are left
   *     out
   */
  MarkdownPage(String markdown, Function<String, Optional<String>> links) {
    this.links = links;
    document =
        Parser.builder().extensions(List.of(TablesExtension.create())).build().parse(markdown);
    Anchors made = new Anchors();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            anchors.put(heading, made.next(text(heading)));
          }
        });
  }

  /** Returns the text of the first heading. */
  String title() {
    return anchors.keySet().stream().findFirst().map(MarkdownPage::text).orElse("");
  }

  /** Returns the HTML of all. */
  String body() {
    return HtmlRenderer.builder()
        .extensions(List.of(TablesExtension.create()))
        .escapeHtml(true)
        .nodeRendererFactory(Renderer::new)
        .build()
        .render(document);
  }

  /** Returns what is below each heading, without marks. */
  List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    String anchor = "";
    String title = title();
    StringBuilder text = new StringBuilder();
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading) {
        if (!text.isEmpty()) {
          sections.add(new Section(anchor, title, text.toString()));
          text.setLength(0);
        }
        anchor = anchors.getOrDefault(heading, "");
        title = text(heading);
      }
      text.append(text(node)).append(' ');
    }
    sections.add(new Section(anchor, title, text.toString()));
    return sections;
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text words) {
            text.append(words.getLiteral());
          }

          @Override
          public void visit(Code code) {
            text.append(code.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak end) {
            text.append(' ');
          }

          @Override
          public void visit(HardLineBreak end) {
            text.append(' ');
          }

          @Override
          public void visit(FencedCodeBlock block) {
            text.append(block.getLiteral());
          }

          @Override
          public void visit(IndentedCodeBlock block) {
            text.append(block.getLiteral());
          }

          @Override
          protected void visitChildren(Node parent) {
            super.visitChildren(parent);
            // Cells of tables have nothing between them.
            text.append(parent instanceof Heading || isInline(parent) ? "" : " ");
          }
        });
    return text.toString();
  }

  private static boolean isInline(Node node) {
    return !(node instanceof org.commonmark.node.Block)
        && !(node instanceof org.commonmark.node.CustomNode);
  }

  /** Headings with anchors, and scripts with colours. */
  private final class Renderer implements NodeRenderer {
    private final HtmlNodeRendererContext context;
    private final HtmlWriter html;

    Renderer(HtmlNodeRendererContext context) {
      this.context = context;
      this.html = context.getWriter();
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
      return Set.of(Heading.class, FencedCodeBlock.class, Link.class);
    }

    @Override
    public void render(Node node) {
      if (node instanceof Link link) {
        link(link);
        return;
      }
      html.line();
      if (node instanceof Heading heading) {
        String anchor = anchors.getOrDefault(heading, "");
        String tag = "h" + heading.getLevel();
        html.tag(tag, Map.of("id", anchor));
        children(node);
        html.raw(SiteWriter.anchorLink(anchor));
        html.tag("/" + tag);
      } else if (node instanceof FencedCodeBlock block) {
        String code = block.getLiteral();
        html.raw("<pre><code>");
        html.raw(
            SCRIPTS.contains(block.getInfo()) ? CodeColours.html(code) : SitePage.escaped(code));
        html.raw("</code></pre>");
      }
      html.line();
    }

    private void link(Link link) {
      Optional<String> target = links.apply(link.getDestination());
      target.ifPresent(
          href ->
              html.tag(
                  "a",
                  href.contains("://")
                      ? new TreeMap<>(Map.of("href", href, "rel", "noreferrer"))
                      : Map.of("href", href)));
      children(link);
      target.ifPresent(href -> html.tag("/a"));
    }

    private void children(Node node) {
      for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
        context.render(child);
      }
    }
  }
}
