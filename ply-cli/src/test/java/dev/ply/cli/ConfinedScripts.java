package dev.ply.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs scripts one after the other in a process with few privileges; what {@link PrivilegesIT}
 * starts.
 */
final class ConfinedScripts {
  private static final Pattern CAPABILITY = Pattern.compile("CAP_([A-Z_]+)");

  private ConfinedScripts() {}

  /** Prints a line for each script: {@code ok}, or the capabilities that its messages name. */
  public static void main(String[] scripts) {
    List<String> outcomes = new ArrayList<>();
    for (String script : scripts) {
      outcomes.add(outcome(Call.ply(words(script))));
    }
    outcomes.forEach(System.out::println);
    // Not waiting for what the traces have left to give back.
    System.out.flush();
  }

  /** Returns the words of a call: options, if it begins with some, and the script. */
  private static String[] words(String call) {
    return call.startsWith("-") ? call.split(" ", 3) : new String[] {call};
  }

  /** A trace that runs, but prints addresses instead of names, is in parentheses. */
  static String outcome(Call call) {
    String named =
        String.join(
            ", ",
            CAPABILITY
                .matcher(call.errors())
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList());
    if (call.status() == 0) {
      return named.isEmpty() ? "ok" : "(" + named + ")";
    }
    return named.isEmpty() ? call.errors().lines().findFirst().orElse("silent") : named;
  }
}
