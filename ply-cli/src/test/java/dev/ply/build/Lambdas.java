package dev.ply.build;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;

/** Lambdas and references to methods of all kinds that the language has. */
final class Lambdas {
  private final String name;
  private int calls;

  private Lambdas(String name) {
    this.name = name;
  }

  /** Returns what all of them do; the same each time. */
  static List<String> results() throws Exception {
    List<String> results = new ArrayList<>();
    Lambdas self = new Lambdas("self");
    self.addFunctions(results);
    self.addConversions(results);
    self.addConstructors(results);
    results.add(self.greeting("hello, ").apply("you"));
    results.add(new Inner().greet());
    results.add(Shape.named("circle").describe());
    addRecords(results);
    return results;
  }

  /** A record of all kinds of fields. */
  private record Fields(
      boolean truth,
      char letter,
      byte small,
      short medium,
      int number,
      long wide,
      float real,
      double precise,
      String text,
      List<Empty> list) {
    static Fields of(float real, double precise, String text) {
      return new Fields(
          true, 'x', (byte) -1, (short) -2, -3, 1L << 40, real, precise, text, List.of());
    }
  }

  private record Empty() {}

  private static void addRecords(List<String> results) {
    List<Fields> some =
        List.of(
            Fields.of(0.5f, 0.25, "text"),
            Fields.of(-0.0f, 0.25, "text"),
            Fields.of(0.0f, 0.25, "text"),
            Fields.of(Float.NaN, Double.NaN, ""),
            new Fields(false, 'x', (byte) 1, (short) 2, 3, 4, 0, 0, "text", List.of(new Empty())));
    for (Fields one : some) {
      Object text = one.text();
      results.add(one + " " + one.hashCode() + " " + one.equals(text));
      for (Fields other : some) {
        results.add(Boolean.toString(one.equals(other)));
      }
      Fields same = Fields.of(one.real(), one.precise(), one.text());
      results.add(one.equals(same) + " " + (one.hashCode() == same.hashCode()));
    }
    results.add(new Empty().equals(new Empty()) + " " + new Empty().hashCode());
  }

  /** Returns a logger, which only looks like one of its own once it is prepared. */
  static Logger logger() {
    return Logger.getLogger("dev.ply.build");
  }

  private void addFunctions(List<String> results) throws Exception {
    Supplier<String> constant = () -> "constant";
    results.add(constant.get());
    Supplier<String> own = () -> name + ++calls;
    results.add(own.get() + own.get());
    int number = 7;
    long wide = 1L << 40;
    double real = 0.5;
    Callable<String> captures = () -> number + " " + wide + " " + real + " " + name;
    results.add(captures.call());
    Function<String, Integer> unbound = String::length;
    results.add(unbound.apply("four").toString());
    Supplier<Integer> bound = "seven".concat("ty")::length;
    results.add(bound.get().toString());
    Function<Object, String> ofAnything = String::valueOf;
    results.add(ofAnything.apply(12));
    Supplier<String> nested = () -> Optional.of(number).map(it -> it + name).orElseThrow();
    results.add(nested.get());
    Runnable ignoresResult = this::count;
    ignoresResult.run();
    results.add(Integer.toString(calls));
    Function<List<String>, Integer> ofInterface = List::size;
    results.add(ofInterface.apply(List.of("a", "b")).toString());
    Comparator<String> order = Comparator.comparing(String::length);
    results.add(Integer.toString(Integer.signum(order.compare("long", "longer"))));
    Serializable kept = (Runnable & Serializable) () -> calls++;
    ((Runnable) kept).run();
    results.add(Integer.toString(calls));
  }

  private void addConversions(List<String> results) {
    BiFunction<Integer, Integer, Integer> unboxes = Math::addExact;
    results.add(unboxes.apply(1, 2).toString());
    ToLongFunction<Integer> widensWhatItUnboxes = Integer::longValue;
    results.add(Long.toString(widensWhatItUnboxes.applyAsLong(-3)));
    IntToLongFunction widens = Math::abs;
    results.add(Long.toString(widens.applyAsLong(-4)));
    LongSupplier widensResult = name::length;
    results.add(Long.toString(widensResult.getAsLong()));
    IntFunction<Object> boxes = Integer::valueOf;
    results.add(boxes.apply(5).toString());
    Function<Integer, Long> both = Lambdas::twice;
    results.add(both.apply(21).toString());
    Function<Character, Boolean> ofCharacters = Character::isDigit;
    results.add(ofCharacters.apply('7').toString());
    UnaryOperator<Integer> generic = Lambdas::same;
    results.add(generic.apply(6).toString());
  }

  private void addConstructors(List<String> results) {
    Function<String, Lambdas> makes = Lambdas::new;
    results.add(makes.apply("made").name);
    IntFunction<int[]> makesArray = int[]::new;
    results.add(Integer.toString(makesArray.apply(3).length));
    IntFunction<String[][]> makesMatrix = String[][]::new;
    results.add(Integer.toString(makesMatrix.apply(2).length));
    Supplier<List<String>> makesList = ArrayList::new;
    results.add(makesList.get().toString());
  }

  private Function<String, String> greeting(String text) {
    return whom -> text + whom + privately(whom);
  }

  private String privately(String whom) {
    return " (" + whom.length() + ", " + name + ")";
  }

  private long count() {
    return ++calls;
  }

  private static long twice(long number) {
    return 2 * number;
  }

  private static <T> T same(T value) {
    return value;
  }

  /** Uses what is private elsewhere in the nest. */
  private static final class Inner {
    private final Lambdas outer = new Lambdas("outer");

    String greet() {
      Function<String, String> privately = outer::privately;
      return privately.apply("inner");
    }
  }

  /** Has lambdas in methods of an interface. */
  interface Shape {
    String name();

    static Shape named(String name) {
      return () -> name;
    }

    default String describe() {
      Supplier<String> text = () -> "a " + hidden();
      Supplier<String> reference = this::hidden;
      return text.get() + ", " + reference.get();
    }

    private String hidden() {
      return name();
    }
  }
}
