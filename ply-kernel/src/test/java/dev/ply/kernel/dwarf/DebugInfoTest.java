package dev.ply.kernel.dwarf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.ir.CDeclaration;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeReference;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.user.UserBinaries;
import dev.ply.machine.Architecture;
import dev.ply.selector.UserSelector;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.FunctionPrototype.Parameter;
import dev.ply.target.FunctionPrototype.Place;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DebugInfoTest {
  private static byte[] library(int version) {
    return library("arguments-" + version);
  }

  private static List<String> parameters(String library, String function) {
    return texts(prototype(library("arguments-" + library), function).orElseThrow());
  }

  private static byte[] library(String name) {
    try (InputStream file = DebugInfoTest.class.getResourceAsStream("/dwarf/" + name + ".so")) {
      return Optional.ofNullable(file).orElseThrow().readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<FunctionPrototype> prototype(byte[] library, String function) {
    try {
      Path file = Files.createTempFile("arguments", ".so");
      try {
        Files.write(file, library);
        return new UserBinaries(
                () -> Architecture.X86_64,
                OptionalInt.empty(),
                new FileMemory(MemoryBudget.ofHeap()))
            .prototype(new UserSelector.Function(file.toString(), function));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Parameter parameter) {
    String type = parameter.type().map(DebugInfoTest::text).orElse("?");
    return type + " " + parameter.name() + " = " + text(parameter.place());
  }

  private static String text(TypeReference type) {
    return type instanceof TypeArray array
        ? text(array.element()) + array.brackets()
        : ((TypeName) type).text();
  }

  private static String text(Place place) {
    if (place instanceof Place.Argument argument) {
      return "arg" + argument.number();
    } else if (place instanceof Place.Register register) {
      return register.name();
    } else if (place instanceof Place.StackWord word) {
      return "sarg" + word.number();
    } else if (place instanceof Place.Bits bits) {
      return text(bits.word()) + " >> " + bits.shift();
    } else if (place instanceof Place.Parts parts) {
      return parts.parts().stream()
          .map(DebugInfoTest::text)
          .collect(Collectors.joining(", ", parts.isText() ? "text (" : "(", ")"));
    }
    return ((Place.Nowhere) place).reason().equals("it is optimised out") ? "-" : "?";
  }

  private static List<String> texts(FunctionPrototype function) {
    return function.parameters().stream().map(DebugInfoTest::text).toList();
  }

  @Test
  void parametersAreListedAsBpftraceListsThem(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("arguments.so"), library("arguments-5"));
    UserSelector place = new UserSelector.Function(file.toString(), "add");
    UserBinaries binaries =
        new UserBinaries(
            () -> Architecture.X86_64, OptionalInt.empty(), new FileMemory(MemoryBudget.ofHeap()));
    assertThat(binaries.declarations(List.of(place)).get(place))
        .contains("const char* text", "struct node* list");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4", "5", "types-4", "types-5"})
  void parametersHaveTypesAndPlaces(String version) {
    assertThat(parameters(version, "add"))
        .containsExactly(
            "int8 small = arg0",
            "uint64 large = arg1",
            "char * text = arg2",
            "struct node * list = arg3",
            "uint32 colour = arg4",
            "double weight = ?",
            "bool is = arg5",
            "struct tight * tight = sarg0");
    assertThat(parameters(version, "after"))
        .containsExactly("struct wide * wide = arg0", "struct pair pair = ?", "int32 lost = ?");
    assertThat(
            prototype(library("arguments-" + version), "after")
                .orElseThrow()
                .definitions()
                .stream())
        .map(CDeclaration::of)
        .contains("struct wide { uint32 one:10; uint32 two:10; char last; };");
    // The place for the result is an argument of its own.
    assertThat(parameters(version, "grown")).containsExactly("int32 by = arg1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4", "5", "types-4", "types-5"})
  void structuresAreDefinedAsInC(String version) {
    assertThat(
            prototype(library("arguments-" + version), "add").orElseThrow().definitions().stream())
        .map(CDeclaration::of)
        .containsExactlyInAnyOrder(
            "struct node { struct node *next; char *name; int16 numbers[3]; struct pair pair;"
                + " struct { uint8 inner; }; struct flags_t flags; double weight;"
                + " union either *either; void *call; };",
            "struct tight { char one; uint64 eight; } __attribute__((packed));",
            "struct pair { int32 first; char second; };",
            "struct flags_t { uint32 low:3; uint32 high:5; uint16 rest; };",
            "union either { uint64 number; char bytes[8]; };");
  }

  @Test
  void classesHaveTheMembersOfTheirBases() {
    FunctionPrototype handle =
        prototype(library("classes"), "_ZN3app7Service6handleERKS0_dl").orElseThrow();
    assertThat(texts(handle))
        .containsExactly(
            "struct Service * this = arg0",
            "struct Service * other = arg1",
            "double weight = ?",
            "int64 number = arg2");
    assertThat(handle.definitions().stream())
        .map(CDeclaration::of)
        .contains(
            "struct Service { int64 wide; int32 id; char tail; struct Held_long_int_ held;" + " };",
            "struct Held_long_int_ { int64 value; };");
  }

  /** What C's rules would lay out otherwise: gaps between bit-fields, tail padding in use. */
  @ParameterizedTest
  @CsvSource({
    "fields, 0 10 32",
    "spread, 0 8 64",
    "split, 0 5",
    "reused, 0 0 40",
  })
  void membersAreWhereTheCompilerPutThem(String tag, String bits) {
    Struct struct = struct(prototype(library("layouts"), "bits").orElseThrow(), tag);
    assertThat(struct.recorded().orElseThrow().places())
        .map(String::valueOf)
        .containsExactly(bits.split(" "));
  }

  private static Struct struct(FunctionPrototype function, String tag) {
    return function.definitions().stream()
        .map(Struct.class::cast)
        .filter(struct -> struct.tag().equals(tag))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void typesOfOneNameInTwoScopesAreTwo() {
    FunctionPrototype lists = prototype(library("layouts"), "lists").orElseThrow();
    assertThat(texts(lists))
        .containsExactly("struct list * first = arg0", "struct list#2 * second = arg1");
    assertThat(lists.definitions().stream())
        .map(CDeclaration::of)
        .containsExactly(
            "struct list { struct item *head; };",
            "struct list#2 { struct item#2 *head; };",
            "struct item { int32 value; };",
            "struct item#2 { char text[8]; int32 value; };");
  }

  @Test
  void aFunctionInSeveralPiecesIsFoundByItsName() {
    assertThat(texts(prototype(library("classes"), "split").orElseThrow()))
        .containsExactly("int32 many = arg0", "char * text = arg1");
  }

  /** Where the code begins, debug information says: the compiler's variants leave out arguments. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optimised       | scalar.isra.0      | int32 more = arg1; struct node * node = -",
        "optimised       | constant.constprop.0"
            + " | int32 one = arg0; int32 three = arg1; int32 two = -",
        "optimised       | unused  | int32 one = arg0; int32 two = arg1; int32 three = arg2",
        "optimised       | many"
            + " | int32 a = arg0; int32 b = arg1; int32 c = arg2; int32 d = arg3; int32 e = arg4;"
            + " int32 f = arg5; int32 g = sarg0; double z = ?; char h = sarg1",
        "optimised       | inRegisters"
            + " | struct pair pair = (int32 first = arg0, int32 second = arg0 >> 32);"
            + " int32 after = arg1",
        "optimised-clang | constant | int32 one = arg0; int32 two = -; int32 three = arg1",
        "optimised-clang | unused   | int32 one = -; int32 two = -; int32 three = arg2",
      })
  void optimisedArgumentsAreWhereTheyAreOrNowhere(String library, String name, String expected) {
    assertThat(String.join("; ", texts(prototype(library(library), name).orElseThrow())))
        .isEqualTo(expected);
  }

  /** Bytes at any places of the file, each with its new value. */
  @Property(tries = 300)
  void damagedFilesAreReadOrRefused(
      @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 1 << 24) Integer> changes) {
    byte[] library = library(5);
    for (int change : changes) {
      library[(change >>> 8) % library.length] = (byte) change;
    }
    try {
      Optional<FunctionPrototype> read = prototype(library, "add");
      read.ifPresent(function -> assertThat(function.parameters()).hasSizeLessThan(1000));
    } catch (UnreadableTargetException | ProbeSiteNotFoundException e) {
      assertThat(e).hasMessageContaining("arguments");
    }
  }
}
