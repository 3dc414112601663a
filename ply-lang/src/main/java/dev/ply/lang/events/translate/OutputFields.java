package dev.ply.lang.events.translate;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.SymbolBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventLocation;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.lang.events.Registers;
import dev.ply.lang.events.translate.EventField.FilterValue;
import dev.ply.machine.Architecture;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The fields that a filter of an event compares: its arguments, its probe site, and its number. */
final class OutputFields implements FilterFields {
  private static final String TYPE = "common_type";

  private final List<EventField> fields;
  private final Map<String, Expr> places;
  private final Target target;
  private final int index;
  private final Problems problems;

  /**
   * Creates the fields of an event.
   *
   * @param index the number of events that are defined before
   */
  OutputFields(
      List<EventField> fields,
      Map<String, Expr> places,
      Target target,
      int index,
      Problems problems) {
    this.fields = fields;
    this.places = places;
    this.target = target;
    this.index = index;
    this.problems = problems;
  }

  /** Returns where an event of functions and instructions was hit, by the names of the kernel. */
  static Map<String, Expr> places(
      Nodes nodes, EventDefinition event, EventSpace space, Architecture architecture) {
    Map<String, Expr> places = new LinkedHashMap<>();
    Expr counter = nodes.register(Registers.programCounter(architecture));
    boolean isUser = space == EventSpace.USER;
    if (event.isReturn()) {
      if (isUser) {
        places.put("__probe_func", nodes.call(ContextBuiltins.FUNC_IP));
      } else if (event.location() instanceof EventLocation.Symbol symbol) {
        places.put("__probe_func", nodes.call(SymbolBuiltins.KADDR, nodes.text(symbol.function())));
      }
      places.put("__probe_ret_ip", counter);
    } else {
      places.put("__probe_ip", isUser ? counter : nodes.probed(architecture));
    }
    return places;
  }

  @Override
  public Optional<FilterValue> find(String name, boolean isUser, SourceSpan span) throws Reported {
    for (EventField field : fields) {
      if (field.name().equals(name)) {
        if (field.isArray()) {
          throw problems.error(span, "\"" + name + "\" is an array", "filters compare values");
        }
        if (isUser && !field.compared().isText()) {
          throw problems.error(
              span, "\"" + name + "\" is a number", "define a string: +0(…):ustring");
        }
        return Optional.of(field.compared());
      }
    }
    if (name.equals("common_flags") || name.equals("common_preempt_count")) {
      throw problems.error(
          span, "programs do not see the flags of an event", "the trace has \".....\" for them");
    }
    if (name.equals(TYPE)) {
      return Optional.of(new FilterValue(new Nodes(span).number(number(span)), false));
    }
    return Optional.ofNullable(places.get(name)).map(place -> new FilterValue(place, false));
  }

  /** Returns the number that the kernel would give the event: those of others come before. */
  private long number(SourceSpan span) throws Reported {
    try {
      int last =
          target
              .tracepoints()
              .names()
              .map(name -> name.split(":", 2))
              .map(parts -> target.tracepoints().id(parts[0], parts[1]))
              .flatMapToInt(OptionalInt::stream)
              .max()
              .orElse(0);
      long number = last + 1L + index;
      problems.note(
          span,
          "events of ply have no number: common_type is "
              + number
              + ", which the kernel would give it");
      return number;
    } catch (UnreadableTargetException e) {
      throw problems.error(span, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>(fields.stream().map(EventField::name).toList());
    names.addAll(places.keySet());
    return names;
  }
}
