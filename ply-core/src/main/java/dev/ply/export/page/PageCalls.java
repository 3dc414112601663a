package dev.ply.export.page;

import dev.ply.table.FlameGraph;
import dev.ply.table.Key;
import dev.ply.target.KernelSymbols;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The calls of all stacks of a page, each once: a stack is the number of its innermost call, whose
 * caller has a smaller number. What is new since the last block is written with the next.
 */
final class PageCalls {
  /** The root, which is no call. */
  private static final int ROOT = 0;

  private final Map<FlameGraph.Frame, Integer> functions = new HashMap<>();
  private final Map<FlameGraph.Site, Integer> sites = new HashMap<>();
  private final Map<Call, Integer> calls = new HashMap<>();
  private final List<FlameGraph.Frame> newFunctions = new ArrayList<>();
  private final List<FlameGraph.Site> newSites = new ArrayList<>();
  private final List<Call> newCalls = new ArrayList<>();

  /** A call at a site, by its caller. */
  private record Call(int caller, int site) {}

  /** Returns the number of a key's stack. */
  int stack(Key key, KernelSymbols symbols) {
    int stack = ROOT;
    for (FlameGraph.Site site : FlameGraph.sites(key, symbols)) {
      number(functions, newFunctions, site.function(), 0);
      stack = number(calls, newCalls, new Call(stack, number(sites, newSites, site, 0)), 1);
    }
    return stack;
  }

  private static <T> int number(Map<T, Integer> known, List<T> added, T one, int first) {
    Integer number = known.get(one);
    if (number == null) {
      number = known.size() + first;
      known.put(one, number);
      added.add(one);
    }
    return number;
  }

  /** Writes what is new as members of a block. */
  void writeNew(PageJson json) {
    json.name("functions").begin('[');
    for (FlameGraph.Frame function : newFunctions) {
      json.begin('[').text(function.name()).text(PageJson.word(function.kind()));
      json.text(function.module().orElse("")).end(']').spill();
    }
    json.end(']').name("sites").begin('[');
    for (FlameGraph.Site site : newSites) {
      json.number(functions.getOrDefault(site.function(), 0)).text(site.offset()).spill();
    }
    json.end(']').name("calls").begin('[');
    // A caller is written as the distance to its entry: most are short numbers.
    int number = calls.size() - newCalls.size();
    for (Call call : newCalls) {
      number++;
      json.number(number - call.caller()).number(call.site()).spill();
    }
    json.end(']');
    newFunctions.clear();
    newSites.clear();
    newCalls.clear();
  }
}
