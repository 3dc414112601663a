package dev.ply.ir;

import dev.ply.ir.Expr.Argument;
import dev.ply.ir.Expr.Binary;
import dev.ply.ir.Expr.Call;
import dev.ply.ir.Expr.Cast;
import dev.ply.ir.Expr.Conditional;
import dev.ply.ir.Expr.Element;
import dev.ply.ir.Expr.IntLiteral;
import dev.ply.ir.Expr.MapRead;
import dev.ply.ir.Expr.Member;
import dev.ply.ir.Expr.NamedConstant;
import dev.ply.ir.Expr.OffsetOf;
import dev.ply.ir.Expr.SizeOf;
import dev.ply.ir.Expr.SizeOfType;
import dev.ply.ir.Expr.Step;
import dev.ply.ir.Expr.StringLiteral;
import dev.ply.ir.Expr.Unary;
import dev.ply.ir.Expr.Unknown;
import dev.ply.ir.Expr.VariableRead;
import dev.ply.ir.Statement.Aggregate;
import dev.ply.ir.Statement.Assign;
import dev.ply.ir.Statement.Block;
import dev.ply.ir.Statement.Break;
import dev.ply.ir.Statement.Continue;
import dev.ply.ir.Statement.Declare;
import dev.ply.ir.Statement.Delete;
import dev.ply.ir.Statement.Evaluate;
import dev.ply.ir.Statement.ForEach;
import dev.ply.ir.Statement.ForRange;
import dev.ply.ir.Statement.If;
import dev.ply.ir.Statement.Return;
import dev.ply.ir.Statement.Store;
import dev.ply.ir.Statement.Unroll;
import dev.ply.ir.Statement.Update;
import dev.ply.ir.Statement.While;
import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.type.TextBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Prints the intermediate representation as nested lists: {@code (clause kretprobe:vfs_read
 * (update @ (key comm) (quantize retval)))}.
 *
 * <p>Source positions are left out and nothing else is, so two scripts that print the same mean the
 * same. A list that does not fit on a line is broken after its head, one element per line.
 */
public final class IrPrinter {
  private static final int COLUMNS = 100;

  private IrPrinter() {}

  /**
   * {@return a script as a string, each clause on its own line or lines, with a final newline}
   *
   * @param script parsed or built
   */
  public static String print(Script script) {
    StringBuilder out = new StringBuilder();
    script
        .configuration()
        .values()
        .forEach(
            (setting, value) ->
                out.append("(set ").append(setting).append(' ').append(value).append(")\n"));
    for (MapDeclaration declaration : script.declarations()) {
      out.append("(map ").append(declaration.text()).append(")\n");
    }
    for (TypeDefinition definition : script.definitions()) {
      out.append('(').append(CDeclaration.of(definition)).append(")\n");
    }
    for (Clause clause : script.clauses()) {
      appendFitting(out, node(clause), 0);
      out.append('\n');
    }
    return out.toString();
  }

  /**
   * {@return a statement on one line}
   *
   * @param statement with its nested ones
   */
  public static String print(Statement statement) {
    return statement.accept(STATEMENTS).toString();
  }

  /**
   * {@return an expression on one line}
   *
   * @param expression with its operands
   */
  public static String print(Expr expression) {
    return expression.accept(EXPRESSIONS).toString();
  }

  /** A list with a head and elements; an atom if there are no elements. */
  private record Node(String head, List<Node> elements, boolean isList) {
    static Node word(String word) {
      return new Node(word, List.of(), false);
    }

    static Node list(String head, Node... elements) {
      return list(head, List.of(elements));
    }

    static Node list(String head, List<Node> elements) {
      return new Node(head, elements, true);
    }

    @Override
    public String toString() {
      StringBuilder out = new StringBuilder();
      append(out);
      return out.toString();
    }

    private void append(StringBuilder out) {
      out.append(isList ? "(" : "").append(head);
      for (Node element : elements) {
        out.append(' ');
        element.append(out);
      }
      out.append(isList ? ")" : "");
    }
  }

  private static void appendFitting(StringBuilder out, Node node, int indent) {
    String line = node.toString();
    if (indent + line.length() <= COLUMNS || !node.isList()) {
      out.append(line);
      return;
    }
    out.append('(').append(node.head());
    int first = 0;
    // Leading atoms, such as a clause's probe, stay with the head.
    for (; first < node.elements().size() && !node.elements().get(first).isList(); first++) {
      out.append(' ').append(node.elements().get(first));
    }
    for (Node element : node.elements().subList(first, node.elements().size())) {
      out.append('\n').append(" ".repeat(indent + 2));
      appendFitting(out, element, indent + 2);
    }
    out.append(')');
  }

  private static Node node(Clause clause) {
    List<Node> elements = new ArrayList<>();
    elements.add(Node.word(clause.point().definition()));
    clause.predicate().ifPresent(predicate -> elements.add(Node.list("where", node(predicate))));
    elements.addAll(nodes(clause.body()));
    return Node.list("clause", elements);
  }

  private static List<Node> nodes(Block block) {
    // No stream: its frames at every level of nesting would be most of the stack.
    List<Node> nodes = new ArrayList<>();
    for (Statement statement : block.statements()) {
      nodes.add(statement.accept(STATEMENTS));
    }
    return nodes;
  }

  private static Node node(Expr expression) {
    return expression.accept(EXPRESSIONS);
  }

  /** Returns the list {@code (head map (key …) …)}, without a key if the map has none. */
  private static Node node(String head, MapRef map, Node... rest) {
    Node name = Node.word(map.name());
    Stream<Node> front =
        map.keys().isEmpty()
            ? Stream.of(name)
            : Stream.of(name, Node.list("key", map.keys().stream().map(IrPrinter::node).toList()));
    return Node.list(head, Stream.concat(front, Stream.of(rest)).toList());
  }

  private static Node node(Aggregation aggregation) {
    return Node.list(
        aggregation.function().canonicalName(),
        aggregation.arguments().stream().map(IrPrinter::node).toList());
  }

  private static Node node(TypeReference type) {
    if (type instanceof TypeOf typeOf) {
      return Node.list("typeof" + "*".repeat(typeOf.pointers()), node(typeOf.operand()));
    }
    if (type instanceof TypeArray array) {
      return Node.list("array" + array.brackets(), node(array.element()));
    }
    return Node.word(quote(((TypeName) type).text()));
  }

  private static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      switch (character) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (character < ' ' || character == 0x7f || TextBytes.isByte(text, i)) {
            out.append("\\x").append(Character.forDigit(character >> 4 & 0xf, 16));
            out.append(Character.forDigit(character & 0xf, 16));
          } else {
            out.append(character);
          }
        }
      }
    }
    return out.append('"').toString();
  }

  private static final Expr.Visitor<Node> EXPRESSIONS =
      new Expr.Visitor<>() {
        @Override
        public Node visit(IntLiteral node) {
          return Node.word(Long.toUnsignedString(node.value()));
        }

        @Override
        public Node visit(StringLiteral node) {
          return Node.word(quote(node.value()));
        }

        @Override
        public Node visit(Call node) {
          String name = node.function().canonicalName();
          return node.arguments().isEmpty()
              ? Node.word(name)
              : Node.list(name, node.arguments().stream().map(IrPrinter::node).toList());
        }

        @Override
        public Node visit(Argument node) {
          return Node.word("arg" + node.index());
        }

        @Override
        public Node visit(MapRead node) {
          return node("read", node.map());
        }

        @Override
        public Node visit(NamedConstant node) {
          return Node.word(node.name());
        }

        @Override
        public Node visit(Element node) {
          return Node.list("[]", node(node.base()), node(node.index()));
        }

        @Override
        public Node visit(Member node) {
          return Node.list(node.access().symbol(), node(node.base()), Node.word(node.name()));
        }

        @Override
        public Node visit(Unknown node) {
          return Node.list("?", node.parts().stream().map(IrPrinter::node).toList());
        }

        @Override
        public Node visit(Expr.Tuple node) {
          if (node.isRecord()) {
            return Node.list(
                "record",
                IntStream.range(0, node.names().size())
                    .mapToObj(i -> Node.list(node.names().get(i), node(node.elements().get(i))))
                    .toList());
          }
          return Node.list("tuple", node.elements().stream().map(IrPrinter::node).toList());
        }

        @Override
        public Node visit(Unary node) {
          return Node.list(node.op().symbol(), node(node.operand()));
        }

        @Override
        public Node visit(Binary node) {
          return Node.list(node.op().symbol(), node(node.left()), node(node.right()));
        }

        @Override
        public Node visit(VariableRead node) {
          return Node.word(node.name());
        }

        @Override
        public Node visit(Conditional node) {
          List<Node> parts = new ArrayList<>();
          parts.add(node(node.condition()));
          node.then().ifPresent(then -> parts.add(node(then)));
          parts.add(node(node.otherwise()));
          return Node.list("?:", parts);
        }

        @Override
        public Node visit(Cast node) {
          return Node.list("cast", node(node.type()), node(node.operand()));
        }

        @Override
        public Node visit(SizeOfType node) {
          return Node.list("sizeof", node(node.type()));
        }

        @Override
        public Node visit(OffsetOf node) {
          return Node.list(
              "offsetof", node(node.type()), Node.word(quote(String.join(".", node.path()))));
        }

        @Override
        public Node visit(SizeOf node) {
          return Node.list("sizeof", node(node.operand()));
        }

        @Override
        public Node visit(Step node) {
          String symbol = node.op().symbol();
          return Node.list(node.op().isPrefix() ? symbol : "post" + symbol, node(node.target()));
        }

        @Override
        public Node visit(Expr.Block node) {
          return Node.list("value", Node.list("do", nodes(node.statements())), node(node.value()));
        }
      };

  private static final Statement.Visitor<Node> STATEMENTS =
      new Statement.Visitor<>() {
        @Override
        public Node visit(Block node) {
          return Node.list("block", nodes(node));
        }

        @Override
        public Node visit(If node) {
          List<Node> elements = new ArrayList<>();
          elements.add(node(node.condition()));
          elements.add(Node.list("then", nodes(node.then())));
          if (!node.otherwise().statements().isEmpty()) {
            elements.add(Node.list("else", nodes(node.otherwise())));
          }
          return Node.list("if", elements);
        }

        @Override
        public Node visit(Store node) {
          return node("store", node.target(), node(node.value()));
        }

        @Override
        public Node visit(Aggregate node) {
          return node("update", node.target(), node(node.aggregation()));
        }

        @Override
        public Node visit(Delete node) {
          return node("delete", node.target());
        }

        @Override
        public Node visit(Return node) {
          return Node.list(
              "return", node.value().map(IrPrinter::node).map(List::of).orElse(List.of()));
        }

        @Override
        public Node visit(Assign node) {
          return Node.list("set", Node.word(node.variable()), node(node.value()));
        }

        @Override
        public Node visit(Declare node) {
          List<Node> elements = new ArrayList<>();
          elements.add(Node.word(node.variable()));
          node.type().ifPresent(type -> elements.add(node(type)));
          node.value().ifPresent(value -> elements.add(node(value)));
          return Node.list("let", elements);
        }

        @Override
        public Node visit(Update node) {
          return node(node.op().symbol() + "=", node.target(), node(node.value()));
        }

        @Override
        public Node visit(While node) {
          return Node.list("while", node(node.condition()), body(node.body()));
        }

        @Override
        public Node visit(ForRange node) {
          return Node.list(
              "for",
              Node.word(node.variable()),
              node(node.from()),
              node(node.to()),
              body(node.body()));
        }

        @Override
        public Node visit(ForEach node) {
          return Node.list(
              "for-each",
              Node.word(node.variable()),
              Node.word(node.map().name()),
              body(node.body()));
        }

        @Override
        public Node visit(Unroll node) {
          return Node.list("unroll", node(node.count()), body(node.body()));
        }

        private Node body(Block block) {
          return Node.list("do", nodes(block));
        }

        @Override
        public Node visit(Break node) {
          return Node.list("break");
        }

        @Override
        public Node visit(Continue node) {
          return Node.list("continue");
        }

        @Override
        public Node visit(Evaluate node) {
          return node(node.expression());
        }
      };
}
