package dev.ply.lang.events;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.events.FetchType.Named;
import dev.ply.machine.KernelVersion;
import java.util.List;

/**
 * The syntax of definitions that the files of one kernel take, by the README of its tracefs. Ours
 * is the same on every kernel: what goes beyond is noted. What both take means the same.
 *
 * @param readme the text of the README, empty if unknown
 * @param version the kernel's version
 */
public record EventSyntax(String readme, KernelVersion version) {
  /** All there is. */
  public static final EventSyntax NEWEST = new EventSyntax("", new KernelVersion(6, 18, 0));

  /** The names of types are between these. */
  private static final String VALUES = "fetcharg:";

  private static final String ARRAYS = "<array-size>";

  /** Arguments at the return, which the README does not mention, came with Linux 6.9. */
  private static final int MAJOR = 6;

  private static final int MINOR = 9;

  /** Returns whether {@code $argN} alone has the name and the type of the parameter. */
  public boolean hasParameters() {
    return !isKnown() || readme.contains("<argname>");
  }

  /** Returns whether parameters have members, and {@code $retval} its type. */
  public boolean hasMembers() {
    return !isKnown() || readme.contains("->field");
  }

  /**
   * Returns notes about what the kernel's own file would refuse.
   *
   * @param definitions without errors
   * @return a note for each argument or event, in the order of definitions
   */
  public List<Diagnostic> beyond(List<EventDefinition> definitions) {
    Diagnostics diagnostics = new Diagnostics();
    if (isKnown()) {
      Problems problems = new Problems(diagnostics);
      for (EventDefinition definition : definitions) {
        kind(definition, problems);
        for (FetchArgument argument : definition.arguments()) {
          value(definition, argument.value(), argument.span(), problems);
          type(argument, problems);
        }
      }
    }
    return diagnostics.list();
  }

  /** A kernel without kprobe_events describes little of it. */
  private boolean isKnown() {
    return readme.contains("kprobe_events")
        && readme.contains(VALUES)
        && readme.indexOf(ARRAYS) > readme.indexOf(VALUES);
  }

  private void kind(EventDefinition definition, Problems problems) {
    String form = definition.kind().letter() + "[:[";
    boolean isProbe = definition.kind() == EventKind.PROBE || definition.kind() == EventKind.RETURN;
    if (!isProbe && !readme.contains(form)) {
      note(problems, definition.span(), "events of the kind " + definition.kind().letter());
    } else if (definition.condition().isPresent() && !readme.contains("[if <filter>]")) {
      note(problems, definition.span(), "conditions");
    }
  }

  private void value(EventDefinition definition, Fetch value, SourceSpan span, Problems problems) {
    boolean isNumbered = value instanceof Fetch.Argument || value instanceof Fetch.AllArguments;
    boolean isTyped = value instanceof Fetch.Parameter || value instanceof Fetch.ReturnValue;
    boolean isMember = isTyped && value.isInMemory();
    if (value instanceof Fetch.Dereference outer) {
      value(definition, outer.address(), span, problems);
    } else if (isMember && !hasMembers()) {
      note(problems, span, "members");
    } else if ((value instanceof Fetch.Parameter || value instanceof Fetch.AllArguments)
        && !hasParameters()) {
      note(problems, span, "parameters by name");
    } else if ((isNumbered || value instanceof Fetch.Parameter)
        && definition.isReturn()
        && !version.isAtLeast(MAJOR, MINOR)) {
      note(problems, span, "arguments at the return");
    }
  }

  private void type(FetchArgument argument, Problems problems) {
    if (argument.type().orElse(Named.X64) instanceof Named type
        && List.of(Named.CHAR, Named.SYMSTR, Named.DENTRY_NAME, Named.FILE_NAME).contains(type)
        && !types().matches("(?s).*[ /]" + type.text() + "[,/\n].*")) {
      note(problems, argument.span(), "the type " + type.text());
    }
  }

  private String types() {
    return readme.substring(readme.indexOf(VALUES), readme.indexOf(ARRAYS));
  }

  private void note(Problems problems, SourceSpan span, String what) {
    problems.note(
        span,
        "Linux "
            + version.major()
            + "."
            + version.minor()
            + " does not support "
            + what
            + ": this is an extension");
  }
}
