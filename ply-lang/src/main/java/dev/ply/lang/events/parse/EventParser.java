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
import dev.ply.selector.KernelSelector;
import dev.ply.selector.UserSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Parses definitions of events, one a line, with comments after {@code #}. */
public final class EventParser {
  private static final int LONGEST_NAME = 64;
  private static final int MOST_ARGUMENTS = 128;
  private static final String RETURN = "%return";
  private static final Pattern RESULT = Pattern.compile("\\$retval(?![0-9A-Za-z_])");

  private final EventSpace space;
  private final Architecture architecture;
  private final Diagnostics diagnostics = new Diagnostics();
  private final Problems problems = new Problems(diagnostics);
  private final Map<String, EventDefinition> known = new HashMap<>();

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
      checkSame(definition, words);
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
    Optional<Counter> counter =
        space == EventSpace.USER ? Optional.of(counter(where)) : Optional.empty();
    int suffix = suffix(kind, where, counter.map(Counter::start).orElse(where.text().length()));
    int end = kind == EventKind.RECORD ? conditionStart(words) : words.size();
    List<Word> rest = words.subList(2, end);
    boolean isReturn =
        kind == EventKind.RETURN
            || suffix < counter.map(Counter::start).orElse(where.text().length())
            || (kind == EventKind.FUNCTION && rest.stream().anyMatch(EventParser::hasResult));
    EventLocation location =
        space == EventSpace.USER
            ? file(where, suffix, counter.orElseThrow().offset())
            : kernel(kind, where, where.text().substring(0, suffix), isReturn);
    if (maxActive.isPresent() && !isReturn) {
      throw problems.error(
          ProbeError.BAD_MAXACT_TYPE, command.from(1), "it is for r and LOCATION%return");
    }
    Optional<Name> name = name(command);
    boolean isEntry = isEntry(kind, location) && !isReturn;
    FetchParser.Site site = new FetchParser.Site(space, kind, isReturn, isEntry, architecture);
    if (rest.size() > MOST_ARGUMENTS) {
      throw problems.error(
          ProbeError.TOO_MANY_ARGS, rest.get(0).span(), "up to " + MOST_ARGUMENTS + " arguments");
    }
    return new EventDefinition(
        kind,
        name.flatMap(Name::group).orElseGet(() -> group(kind)),
        name.flatMap(Name::event).orElseGet(() -> event(kind, location, isReturn)),
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

  /**
   * A reference counter.
   *
   * @param start the offset of its parenthesis, or the length of the word
   */
  private record Counter(int start, OptionalLong offset) {}

  private Counter counter(Word where) throws Reported {
    String text = where.text();
    int open = text.indexOf('(', Math.max(0, text.lastIndexOf(':')));
    return open < 0
        ? new Counter(text.length(), OptionalLong.empty())
        : new Counter(open, counter(where, text, open));
  }

  /** Returns the offset of {@code %return}, or that of what follows the location. */
  private int suffix(EventKind kind, Word where, int end) throws Reported {
    String text = where.text().substring(0, end);
    int from = space == EventSpace.USER ? Math.max(0, text.lastIndexOf(':')) : 0;
    int percent = text.indexOf('%', from);
    if (percent < 0) {
      return text.length();
    }
    boolean isTracepoint = kind == EventKind.TRACEPOINT || kind == EventKind.RECORD;
    if (!text.substring(percent).equals(RETURN) || isTracepoint) {
      throw problems.error(
          ProbeError.BAD_ADDR_SUFFIX,
          where.span(percent, end),
          isTracepoint ? "tracepoints have no return" : "the only suffix is " + RETURN);
    }
    return percent;
  }

  private EventLocation kernel(EventKind kind, Word where, String text, boolean isReturn)
      throws Reported {
    if (text.contains("/") && text.contains(":")) {
      throw problems.error(
          where.span(), "this is a file, not in the kernel", "ply uprobe-events probes files");
    }
    if (kind == EventKind.RECORD) {
      return record(where, text);
    }
    if (kind == EventKind.TRACEPOINT) {
      int length = 0;
      while (length < text.length() && ArgumentParser.isIdentifier("_" + text.charAt(length))) {
        length++;
      }
      if (length < text.length()) {
        throw problems.error(
            ProbeError.BAD_TP_NAME, where.from(length), "write its name: sched_switch");
      }
      return new EventLocation.Tracepoint(text);
    }
    OptionalLong address = Numbers.unsigned(text);
    if (address.isPresent() && kind != EventKind.FUNCTION) {
      return new EventLocation.Address(address.getAsLong());
    }
    int plus = text.indexOf('+');
    int minus = text.indexOf('-');
    int sign = plus < 0 || (minus >= 0 && minus < plus) ? minus : plus;
    String name = sign < 0 ? text : text.substring(0, sign);
    OptionalLong offset =
        sign < 0
            ? OptionalLong.of(0)
            : Numbers.signed(text.substring(sign + (sign == plus ? 1 : 0)));
    String symbol = name.substring(name.indexOf(':') + 1);
    if (offset.isEmpty()
        || offset.getAsLong() < 0
        || offset.getAsLong() > 0xffff_ffffL
        || !KernelSelector.Function.isName(symbol)
        || (name.contains(":")
            && !KernelSelector.Function.isModule(name.substring(0, name.indexOf(':'))))) {
      throw problems.error(
          ProbeError.BAD_PROBE_ADDR,
          where.span(),
          "a location is [MODULE:]SYMBOL[+OFFSET] or an address: vfs_read, ext4:ext4_sync_file");
    }
    if (offset.getAsLong() > 0 && (isReturn || kind == EventKind.FUNCTION)) {
      throw problems.error(ProbeError.BAD_RETPROBE, where.span(), "write " + name);
    }
    return new Symbol(name, offset.getAsLong());
  }

  private EventLocation record(Word where, String text) throws Reported {
    String[] names = text.split(text.contains("/") ? "/" : "\\.", 2);
    if (names.length != 2 || names[1].isEmpty()) {
      throw problems.error(ProbeError.NO_EVENT_INFO, where.span(), "write sched.sched_switch");
    }
    int separator = names[0].length();
    checkGroup(where.span(0, separator), names[0]);
    checkEvent(where.from(separator + 1), names[1]);
    return new EventLocation.Event(names[0], names[1]);
  }

  private EventLocation file(Word where, int end, OptionalLong counter) throws Reported {
    String text = where.text().substring(0, end);
    int colon = text.lastIndexOf(':');
    if (colon <= 0 || colon + 1 == text.length()) {
      throw problems.error(
          where.span(),
          "this is not a location in a file",
          "write PATH:OFFSET or PATH:SYMBOL: /bin/bash:readline"
              + (text.contains("/") ? "" : "; ply kprobe-events probes the kernel"));
    }
    String path = text.substring(0, colon);
    if (!UserSelector.canBeBinary(path)) {
      throw problems.error(
          where.span(0, colon),
          "a path has no quotation marks",
          "write it without them: /bin/bash:readline");
    }
    String place = text.substring(colon + 1);
    if (!Character.isDigit(place.isEmpty() ? '(' : place.charAt(0))) {
      if (counter.isPresent() || !UserSelector.Function.isName(place)) {
        throw problems.error(
            ProbeError.BAD_UPROBE_OFFS,
            where.span(colon + 1, end),
            "an offset is a number: " + path + ":0x1139");
      }
      problems.note(
          where.span(colon + 1, end),
          "the kernel takes offsets in files only: this is an extension, --export shows the"
              + " offset");
      return new EventLocation.FileSymbol(path, place);
    }
    OptionalLong offset = Numbers.unsigned(place);
    if (offset.isEmpty()) {
      throw problems.error(
          ProbeError.BAD_UPROBE_OFFS,
          where.span(colon + 1, end),
          "an offset is a number: " + path + ":0x1139");
    }
    return new EventLocation.FileOffset(path, offset.getAsLong(), counter);
  }

  private OptionalLong counter(Word where, String text, int open) throws Reported {
    int close = text.indexOf(')', open);
    if (close < 0) {
      throw problems.error(
          ProbeError.REFCNT_OPEN_BRACE,
          where.span(text.length(), text.length() + 1),
          "close it with \")\"");
    }
    if (close + 1 < text.length()) {
      throw problems.error(
          ProbeError.BAD_REFCNT_SUFFIX, where.from(close + 1), "nothing follows it");
    }
    OptionalLong counter = Numbers.unsigned(text.substring(open + 1, close));
    if (counter.isEmpty() || counter.getAsLong() >>> Integer.SIZE != 0) {
      throw problems.error(
          ProbeError.BAD_REFCNT,
          where.span(open + 1, close),
          "it is an offset in the file, up to 0xffffffff: (0x3f00)");
    }
    return counter;
  }

  /** The name of an event in a definition. */
  private record Name(Optional<String> group, Optional<String> event) {}

  private Optional<Name> name(Word command) throws Reported {
    int colon = command.text().indexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    String name = command.text().substring(colon + 1);
    int slash = name.indexOf('/') >= 0 ? name.indexOf('/') : name.indexOf('.');
    Optional<String> group = slash < 0 ? Optional.empty() : Optional.of(name.substring(0, slash));
    if (group.isPresent()) {
      checkGroup(command.span(colon + 1, colon + 1 + slash), group.get());
    }
    String event = name.substring(slash + 1);
    SourceSpan span = command.from(colon + 2 + slash);
    if (event.isEmpty()) {
      if (group.isEmpty()) {
        throw problems.error(
            ProbeError.NO_EVENT_NAME, span, "write a name after the colon, or no colon");
      }
      return Optional.of(new Name(group, Optional.empty()));
    }
    checkEvent(span, event);
    return Optional.of(new Name(group, Optional.of(event)));
  }

  private void checkEvent(SourceSpan span, String event) throws Reported {
    if (event.length() >= LONGEST_NAME) {
      throw problems.error(
          ProbeError.EVENT_TOO_LONG, span, "up to " + (LONGEST_NAME - 1) + " characters");
    }
    if (!ArgumentParser.isIdentifier(event)) {
      throw problems.error(ProbeError.BAD_EVENT_NAME, span, "letters, digits and underscores");
    }
  }

  private void checkGroup(SourceSpan span, String group) throws Reported {
    if (group.isEmpty()) {
      throw problems.error(ProbeError.NO_GROUP_NAME, span, "write GROUP/EVENT, or EVENT alone");
    }
    if (group.length() >= LONGEST_NAME) {
      throw problems.error(
          ProbeError.GROUP_TOO_LONG, span, "up to " + (LONGEST_NAME - 1) + " characters");
    }
    if (!ArgumentParser.isIdentifier(group.replace('-', '_'))) {
      throw problems.error(
          ProbeError.BAD_GROUP_NAME, span, "letters, digits, underscores and hyphens");
    }
  }

  private String group(EventKind kind) {
    return switch (kind) {
      case PROBE, RETURN -> space == EventSpace.USER ? "uprobes" : "kprobes";
      case FUNCTION -> "fprobes";
      case TRACEPOINT -> "tracepoints";
      case RECORD -> "eprobes";
    };
  }

  /** Returns the name that the kernel derives from a location. */
  private static String event(EventKind kind, EventLocation location, boolean isReturn) {
    String name;
    if (location instanceof EventLocation.Tracepoint tracepoint) {
      name = tracepoint.name();
      name = Character.isDigit(name.charAt(0)) ? "_" + name : name;
    } else if (location instanceof EventLocation.Event other) {
      name = other.name();
    } else if (location instanceof EventLocation.FileOffset file) {
      name = "p_" + stem(file.path()) + "_0x" + Long.toHexString(file.offset());
    } else if (location instanceof EventLocation.FileSymbol file) {
      name = (isReturn ? "r_" : "p_") + stem(file.path()) + "_" + file.name() + "_0";
    } else if (kind == EventKind.FUNCTION) {
      name = ((Symbol) location).name() + (isReturn ? "__exit" : "__entry");
    } else if (location instanceof Symbol symbol) {
      name = (isReturn ? "r_" : "p_") + symbol.name() + "_" + symbol.offset();
    } else {
      name = (isReturn ? "r_" : "p_") + location.text();
    }
    return name.replaceAll("[^0-9A-Za-z_]", "_");
  }

  /** Returns a file's name up to the first dot, hyphen or underscore. */
  private static String stem(String path) {
    return path.substring(path.lastIndexOf('/') + 1).replaceFirst("[._-].*", "");
  }

  /** Definitions of the same event are its alternatives, with the same arguments. */
  private void checkSame(EventDefinition definition, List<Word> words) throws Reported {
    String name = definition.group() + "/" + definition.event();
    EventDefinition other = known.putIfAbsent(name, definition);
    if (other == null) {
      return;
    }
    boolean isRecord = definition.kind() == EventKind.RECORD;
    if (isRecord || family(definition) != family(other)) {
      throw problems.error(
          ProbeError.EVENT_EXIST,
          words.get(0).span(),
          name + " is defined in line " + other.span().line());
    }
    if (other.isReturn() != definition.isReturn() || other.kind() != definition.kind()) {
      throw problems.error(
          ProbeError.DIFF_PROBE_TYPE,
          words.get(0).span(),
          name + " is defined in line " + other.span().line());
    }
    int common = Math.min(other.arguments().size(), definition.arguments().size());
    if (other.arguments().size() != definition.arguments().size()) {
      SourceSpan first =
          definition.arguments().size() > common
              ? words.get(common + 2).span()
              : words.get(words.size() - 1).after();
      throw different(first, name, other);
    }
    for (int i = 0; i < common; i++) {
      FetchArgument own = definition.arguments().get(i);
      FetchArgument first = other.arguments().get(i);
      if (!own.name().equals(first.name())
          || !own.type().equals(first.type())
          || !own.count().equals(first.count())) {
        throw different(words.get(i + 2).span(), name, other);
      }
    }
    boolean isSame =
        other.location().equals(definition.location())
            && other.arguments().stream()
                .map(FetchArgument::text)
                .toList()
                .equals(definition.arguments().stream().map(FetchArgument::text).toList());
    if (isSame) {
      throw problems.error(
          ProbeError.SAME_PROBE,
          words.get(0).span(),
          name + " is defined in line " + other.span().line());
    }
  }

  /** The kernel's own files register these apart. */
  private static EventKind family(EventDefinition definition) {
    return switch (definition.kind()) {
      case PROBE, RETURN -> EventKind.PROBE;
      case FUNCTION, TRACEPOINT -> EventKind.FUNCTION;
      case RECORD -> EventKind.RECORD;
    };
  }

  private Reported different(SourceSpan span, String name, EventDefinition other) {
    return problems.error(
        ProbeError.DIFF_ARG_TYPE,
        span,
        "all definitions of "
            + name
            + " have the arguments of the one in line "
            + other.span().line());
  }
}
