package dev.ply.cli.manual;

import dev.ply.machine.KernelVersion;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The page of the language, from the topics that {@code ply -h WORD} shows. */
public final class LanguageManual {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  private static final String INTRODUCTION =
      """
      A script is a list of clauses: probes, perhaps a predicate between slashes, and statements in braces. When one of the probes fires and the predicate is true, the statements run, in the kernel.

      Values are counted, summed and stored in maps, whose names begin with @ or are plain, and which are printed when the trace ends. Comments start with # or // and run to the end of the line, or stand between /* and */.
      """;

  private static final String EXAMPLE =
      """
      tracepoint:raw_syscalls:sys_enter / pid == $target / {
        @[syscall_name(data->id)] = count();
      }
      """;

  private LanguageManual() {}

  /** {@return the page} */
  public static ManualPage page(ManualPage.Edition edition) {
    Roff roff =
        ManualPage.begin(
            "ply-language",
            7,
            edition,
            "Miscellaneous Information Manual",
            "the language of ply's scripts");
    roff.macro("SH", "DESCRIPTION").body(ManualPage.paragraphs(INTRODUCTION.strip()), "PP");
    roff.macro("PP").verbatim(EXAMPLE);
    for (Topic.Kind kind : Topic.Kind.values()) {
      roff.macro("SH", kind.title().toUpperCase(Locale.ROOT));
      LanguageReference.topics().stream()
          .filter(topic -> topic.kind() == kind)
          .forEach(topic -> append(roff, topic));
    }
    ManualPage.seeAlso(roff, List.of("ply(1)", "ply-bt(1)"));
    return new ManualPage("ply-language", 7, roff.toString());
  }

  private static void append(Roff roff, Topic topic) {
    String macro = "TP";
    for (String form : topic.forms()) {
      roff.macro(macro).raw(Roff.bold(form));
      macro = "TQ";
    }
    List<String> paragraphs = new ArrayList<>();
    if (topic.names().size() > 1) {
      paragraphs.add(
          "Also called " + String.join(", ", topic.names().subList(1, topic.names().size())) + ".");
    }
    if (!topic.gives().isEmpty()) {
      paragraphs.add(topic.gives() + ".");
    }
    paragraphs.addAll(ManualPage.paragraphs(topic.summary()));
    if (topic.since().compareTo(OLDEST) > 0) {
      paragraphs.add("Since Linux " + topic.since().major() + "." + topic.since().minor() + ".");
    }
    roff.body(paragraphs, "IP").macro("IP").verbatim(topic.example());
  }
}
