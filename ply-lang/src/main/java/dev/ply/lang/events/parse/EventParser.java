package dev.ply.lang.events.parse;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventFilter;
import dev.ply.lang.events.EventKind;
import dev.ply.lang.events.EventLocation;
import dev.ply.lang.events.EventLocation.Symbol;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.Fetch;
import dev.ply.lang.events.FetchArgument;
import dev.ply.lang.events.Numbers;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.machine.Architecture;
import dev.ply.probe.KernelProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Parses definitions of events, one a line, with comments after {@code #}. */
public final class EventParser {
  private static final int MOST_ARGUMENTS = 128;
  private static final Pattern RESULT = Pattern.compile("\\$retval(?![0-9A-Za-z_])");

  private final EventSpace space;
  private final Architecture architecture;
  private final Diagnostics diagnostics = new Diagnostics();
  private final Problems problems = new Problems(diagnostics);
  private final DefinedEvents defined = new DefinedEvents(problems);

  private EventParser(EventSpace space, Architecture architecture) {
    this.space = space;
    this.architecture = architecture;
  }

  /**
   * The definitions of a source.
   *
   * @param definitions those without errors
   * @param diagnostics all diagnostics, in source order
   */
  public record Result(List<EventDefinition> definitions, List<Diagnostic> diagnostics) {
    public Result {
      definitions = List.copyOf(definitions);
      diagnostics = List.copyOf(diagnostics);
    }

    /** Returns whether there are errors. */
    public boolean hasErrors() {
      return Diagnostics.hasErrors(diagnostics);
    }
  }

  /** Parses the definitions of a source. */
  public static Result parse(Source source, EventSpace space, Architecture architecture) {
    EventParser parser = new EventParser(space, architecture);
    List<EventDefinition> definitions = new ArrayList<>();
    List<String> lines = source.text().lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      List<Word> words = Word.split(source.name(), i + 1, lines.get(i));
      if (!words.isEmpty()) {
        parser.line(words).ifPresent(definitions::add);
      }
    }
    return new Result(definitions, parser.diagnostics.list());
  }

  private Optional<EventDefinition> line(List<Word> words) {
    try {
      Word command = words.get(0);
      if (command.text().startsWith("-") || command.text().startsWith("!")) {
        removal(command);
        return Optional.empty();
      }
      EventKind kind = kind(command);
      if (words.size() < 2 || isArgument(words.get(1))) {
        throw problems.error(
            words.size() < 2 ? command.from(command.text().length()) : words.get(1).span(),
            "the definition has no location",
            location(command.text()));
      }
      EventDefinition definition = definition(kind, command, words);
      defined.add(definition, words);
      return Optional.of(definition);
    } catch (Reported e) {
      return Optional.empty();
    }
  }

  private static boolean isArgument(Word word) {
    return word.text().contains("=") || word.text().startsWith("$") || word.text().startsWith("%");
  }

  /** Returns a definition with a location, which may be what the event's name is now. */
  private String location(String command) {
    int colon = command.indexOf(':');
    String name = command.substring(colon + 1);
    if (colon > 0 && name.contains(",")) {
      return "commas separate the parts on the kernel's command line only; write "
          + command.replace(',', ' ');
    }
    boolean isLocation =
        colon > 0
            && (space == EventSpace.USER
                ? name.indexOf(':') > 0
                : !name.isEmpty() && !name.contains("/"));
    return isLocation
        ? "the event's name follows the colon, then the location; write "
            + command.substring(0, colon)
            + " "
            + name
        : "write " + command + (space == EventSpace.USER ? " /bin/bash:0x4245c0" : " vfs_read");
  }

  /** The events of a trace last as long as it does. */
  private void removal(Word command) throws Reported {
    String name = command.text().substring(1);
    if (!name.startsWith(":") || name.length() == 1) {
      throw problems.error(ProbeError.NO_EVENT_NAME, command.from(1), "write -:[GROUP/]EVENT");
    }
    problems.note(
        command.span(),
        "in " + space.file() + " this would remove the event " + name.substring(1),
        "ply's events exist only during its trace: there is nothing to remove");
  }

  private EventKind kind(Word command) throws Reported {
    Optional<EventKind> kind = EventKind.of(command.text().charAt(0));
    boolean isKernelOnly =
        kind.filter(one -> one != EventKind.PROBE && one != EventKind.RETURN).isPresent();
    if (kind.isEmpty() || (isKernelOnly && space == EventSpace.USER)) {
      throw problems.error(
          command.span(0, 1),
          "no definition starts with \"" + command.text().charAt(0) + "\"",
          space == EventSpace.USER
              ? "p probes an instruction, r a function's return: p:EVENT PATH:OFFSET"
              : "p and f probe a function's entry, r its return, t a tracepoint, e another event:"
                  + " p:EVENT SYMBOL");
    }
    return kind.get();
  }

  private EventDefinition definition(EventKind kind, Word command, List<Word> words)
      throws Reported {
    OptionalInt maxActive = maxActive(kind, command);
    Word where = words.get(1);
    LocationParser locations = new LocationParser(space, kind, where, problems);
    int end = kind == EventKind.RECORD ? conditionStart(words) : words.size();
    List<Word> rest = words.subList(2, end);
    boolean isReturn =
        kind == EventKind.RETURN
            || locations.hasReturn()
            || (kind == EventKind.FUNCTION && rest.stream().anyMatch(EventParser::hasResult));
    EventLocation location = locations.parse(isReturn);
    if (maxActive.isPresent() && !isReturn) {
      throw problems.error(
          ProbeError.BAD_MAXACT_TYPE, command.from(1), "it is for r and LOCATION%return");
    }
    EventName name = EventName.of(command, problems);
    boolean isEntry = isEntry(kind, location) && !isReturn;
    FetchParser.Site site = new FetchParser.Site(space, kind, isReturn, isEntry, architecture);
    if (rest.size() > MOST_ARGUMENTS) {
      throw problems.error(
          ProbeError.TOO_MANY_ARGS, rest.get(0).span(), "up to " + MOST_ARGUMENTS + " arguments");
    }
    return new EventDefinition(
        kind,
        name.group().orElseGet(() -> EventName.group(kind, space)),
        name.event().orElseGet(() -> EventName.event(kind, location, isReturn)),
        location,
        isReturn,
        maxActive,
        arguments(rest, site),
        end < words.size() ? Optional.of(condition(words, end)) : Optional.empty(),
        where.span(),
        words.get(0).span().through(words.get(words.size() - 1).span()));
  }

  /** Returns the index of the word {@code if}, or the number of words. */
  private static int conditionStart(List<Word> words) {
    for (int i = 2; i < words.size(); i++) {
      if (words.get(i).text().equals("if")) {
        return i;
      }
    }
    return words.size();
  }

  /** Returns the expression after the word {@code if}. */
  private EventFilter condition(List<Word> words, int start) throws Reported {
    if (start + 1 == words.size()) {
      throw problems.error(
          ProbeError.NO_EP_FILTER, words.get(start).after(), "write if prev_pid > 3");
    }
    return condition(words.subList(start + 1, words.size()));
  }

  /** Returns the condition of a definition: its last words, as far from each other as they are. */
  private static EventFilter condition(List<Word> words) {
    Word first = words.get(0);
    StringBuilder text = new StringBuilder();
    for (Word word : words) {
      int missing = word.column() - first.column() - text.codePointCount(0, text.length());
      text.append(" ".repeat(missing)).append(word.text());
    }
    return new EventFilter(
        new Source(first.source(), text.toString()), "", 0, first.line(), first.column());
  }

  /** An argument with a result makes an {@code f} event one of the function's exit. */
  private static boolean hasResult(Word word) {
    return RESULT.matcher(word.text()).find();
  }

  private List<FetchArgument> arguments(List<Word> words, FetchParser.Site site) throws Reported {
    ArgumentParser parser = new ArgumentParser(site, problems);
    List<FetchArgument> arguments = new ArrayList<>();
    boolean isBad = false;
    boolean hasAll = false;
    for (Word word : words) {
      try {
        FetchArgument argument = parser.parse(word);
        if (argument.value() instanceof Fetch.AllArguments) {
          if (hasAll) {
            throw problems.error(ProbeError.DOUBLE_ARGS, word.span(), "once is enough");
          }
          hasAll = true;
        }
        arguments.add(argument);
      } catch (Reported e) {
        isBad = true;
      }
    }
    if (isBad) {
      throw new Reported();
    }
    return arguments;
  }

  private static boolean isEntry(EventKind kind, EventLocation location) {
    return kind == EventKind.FUNCTION
        || kind == EventKind.TRACEPOINT
        || (location instanceof Symbol symbol && symbol.offset() == 0);
  }

  private OptionalInt maxActive(EventKind kind, Word command) throws Reported {
    int colon = command.text().indexOf(':');
    int end = colon < 0 ? command.text().length() : colon;
    String number = command.text().substring(1, end);
    if (number.isEmpty()) {
      return OptionalInt.empty();
    }
    SourceSpan span = command.span(1, end);
    if (!Character.isDigit(number.charAt(0)) || kind == EventKind.RECORD) {
      problems.warning(
          span,
          "text after the letter of a definition is ignored, as by the kernel",
          "a name follows a colon: " + kind.letter() + ":" + number);
      return OptionalInt.empty();
    }
    if (kind == EventKind.PROBE) {
      throw problems.error(ProbeError.BAD_MAXACT_TYPE, span, "it is for r: r" + number);
    }
    OptionalLong value = Numbers.unsigned(number);
    if (value.isEmpty() || value.getAsLong() <= 0 || value.getAsLong() > 0xffff_ffffL) {
      throw problems.error(
          ProbeError.BAD_MAXACT,
          span,
          "1 to " + KernelProbe.Kretprobe.MOST_ACTIVE + " concurrent calls: r64");
    }
    if (value.getAsLong() > KernelProbe.Kretprobe.MOST_ACTIVE) {
      throw problems.error(
          ProbeError.MAXACT_TOO_BIG, span, "up to " + KernelProbe.Kretprobe.MOST_ACTIVE);
    }
    if (space == EventSpace.USER) {
      problems.warning(span, "maxactive has no effect in user space");
      return OptionalInt.empty();
    }
    return OptionalInt.of((int) value.getAsLong());
  }
}
