package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.analysis.Analyzer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.machine.Architecture;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.FunctionPrototype.Parameter;
import dev.ply.target.FunctionPrototype.Place;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.UsdtProbe;
import dev.ply.target.UserLocation;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedArgumentsTest {
  /** Functions of "b" have parameters, of types with the names of others in "a". */
  private enum Machine implements Target {
    INSTANCE;

    @Override
    public Architecture architecture() {
      return Architecture.X86_64;
    }

    @Override
    public TracepointCatalog tracepoints() {
      return BareTarget.INSTANCE.tracepoints();
    }

    @Override
    public FunctionCatalog functions() {
      return FunctionCatalog.NONE;
    }

    @Override
    public KernelSymbols symbols() {
      return KernelSymbols.NONE;
    }

    @Override
    public BinaryCatalog binaries() {
      return new Programs();
    }
  }

  private static final class Programs implements BinaryCatalog {
    @Override
    public List<UserLocation> locate(UserSelector place) {
      return List.of(new UserLocation(Path.of("/" + place.binary()), 0, OptionalInt.empty()));
    }

    @Override
    public Selection select(UserSelector.Pattern pattern) {
      return new Selection(
          List.of(
              new UserSelector.Function(pattern.binary(), "f"),
              new UserSelector.Function(pattern.binary(), "g")),
          0);
    }

    @Override
    public List<UsdtProbe> marks(UsdtSelector place) {
      return List.of();
    }

    @Override
    public Optional<FunctionPrototype> prototype(UserSelector place) {
      if (place.binary().startsWith("unit")) {
        return Optional.of(unit(place.binary().charAt(4) - '0'));
      }
      if (place.binary().equals("bare")) {
        return Optional.empty();
      }
      TypeName member = new TypeName(place.binary().equals("a") ? "int32" : "char", 0);
      Field field =
          new Field(
              "value",
              new FieldType.Named(member),
              place.binary().equals("a") ? List.of() : List.of(8),
              OptionalInt.empty());
      TypeDefinition pair =
          new Struct("pair", false, false, List.of(field), new SourceSpan("", 1, 1, 1, 1));
      TypeName pointer = new TypeName("struct pair", 1);
      return Optional.of(
          new FunctionPrototype(
              List.of(
                  new Parameter(
                      "count", Optional.of(new TypeName("int16", 0)), new Place.Argument(0)),
                  new Parameter("pair", Optional.of(pointer), new Place.Argument(1)),
                  new Parameter(
                      "ratio",
                      Optional.of(new TypeName("double", 0)),
                      new Place.Nowhere("it is not passed as an integer or a pointer", "")),
                  new Parameter(
                      "text",
                      Optional.empty(),
                      new Place.Parts(
                          List.of(
                              new Parameter(
                                  "str",
                                  Optional.of(new TypeName("uint8", 1)),
                                  new Place.Register("rax")),
                              new Parameter(
                                  "len",
                                  Optional.of(new TypeName("int64", 0)),
                                  new Place.StackWord(1))),
                          true)),
                  new Parameter(
                      "two",
                      Optional.empty(),
                      new Place.Parts(
                          List.of(
                              new Parameter(
                                  "high",
                                  Optional.of(new TypeName("int32", 0)),
                                  new Place.Bits(new Place.Argument(2), 32))),
                          false)),
                  new Parameter("last", Optional.of(pointer), new Place.Argument(7))),
              List.of(pair)));
    }
  }

  /** A list whose items differ from unit to unit, and are of one name. */
  private static FunctionPrototype unit(int number) {
    Field value = field("value" + number, new TypeName("int32", 0));
    Field head = field("head", new TypeName("struct item", 1));
    return new FunctionPrototype(
        List.of(
            new Parameter(
                "list", Optional.of(new TypeName("struct list", 1)), new Place.Argument(0))),
        List.of(
            new Struct("list", false, false, List.of(head), SourceSpan.NONE),
            new Struct("item", false, false, List.of(value), SourceSpan.NONE)));
  }

  private static Field field(String name, TypeName type) {
    return new Field(name, new FieldType.Named(type), List.of(), OptionalInt.empty());
  }

  private static List<String> errors(String script) {
    ParseResult parsed = ScriptParser.parse(new Source("<input>", script));
    assertThat(parsed.diagnostics()).isEmpty();
    try {
      var unused = new Analyzer(Machine.INSTANCE).analyze(parsed.script());
      return List.of();
    } catch (CompilationException e) {
      return e.diagnostics().stream().map(Diagnostic::message).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uprobe:a:f / args.count > 5 / { @[args->pair->value] = count(); $x = args.last; }",
        "uprobe:a:f { $a = args; @ = sum($a.count); }",
        "uprobe:a:f { @[args.text, str(args.text), str(args.text, 16)] = sum(args.text.len); }",
        "uprobe:a:f { @ = sum(args.two.high); }",
        "uprobe:a:f { @ = sum(((struct pair *)arg1)->value); @s = sizeof(struct pair); }",
        "uprobe:a:* { $p = (struct pair *)arg1; @ = sum($p.value); }",
        "uprobe:a:f { print(args); @[args.count] = count(); }",
        "uprobe:a:* { @ = sum(args.count); }",
        "uprobe:a:f,uprobe:a:g { @[args.pair.value] = count(); }",
        "uprobe:a:f { @ = sum(args.pair.value); } uprobe:b:f { @b[str(args.pair.value)] = count();"
            + " }",
        "struct pair { int64 own; }; uprobe:b:f { @[str(args.pair.value)] = count();"
            + " @b = ((struct pair *)args.pair)->own; }",
        "uprobe:unit1:f { @ = sum(args.list->head->value1); }"
            + " uprobe:unit2:f { @ = sum(args.list->head->value2); }"
            + " uprobe:unit3:f { @ = sum(args.list->head->value3); }",
      })
  void argumentsHaveTheirTypes(String script) {
    assertThat(errors(script)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "uprobe:a:f { print(args.cont); } | uprobe:a:f has no argument \"cont\"",
        "uprobe:a:f { print(args.ratio); } | \"ratio\" cannot be read: it is not passed as an"
            + " integer or a pointer",
        "uprobe:a:f { print(args.two); } | \"two\" cannot be read: it is in several registers",
        "uprobe:a:f { print(args.two.low); } | args.two has no member \"low\"",
        "uprobe:bare:f { print(args.count); } | the arguments of uprobe:bare:f have no names here",
      })
  void whatIsNotThereIsNamed(String script, String message) {
    assertThat(errors(script)).containsExactly(message);
  }

  @Test
  void returnsHaveNone() {
    assertThat(errors("uretprobe:a:f { print(args.count); }"))
        .singleElement()
        .asString()
        .startsWith("\"data\" or \"args\" is not available in uretprobe:a:f");
  }
}
