package dev.ply.cli.events;

import dev.ply.cli.follow.Followers;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.Shared;
import dev.ply.cli.option.Sizes;
import dev.ply.lang.events.EventSpace;

/** The declarations of the command lines of events. */
final class EventsManual {
  private static final String KERNEL =
      """
      p[:[GROUP/]EVENT] [MODULE:]SYMBOL[+OFFSET]|ADDRESS [ARGUMENT...]
      r[MAXACTIVE][:[GROUP/]EVENT] [MODULE:]SYMBOL|ADDRESS [ARGUMENT...]
      f[:[GROUP/]EVENT] SYMBOL[%return] [ARGUMENT...]
      t[:[GROUP/]EVENT] TRACEPOINT [ARGUMENT...]
      """;

  private static final String USER =
      """
      p[:[GROUP/]EVENT] PATH:OFFSET|PATH:SYMBOL [ARGUMENT...]
      r[:[GROUP/]EVENT] PATH:OFFSET|PATH:SYMBOL [ARGUMENT...]
      """;

  private EventsManual() {}

  /** Returns the declaration of a command. */
  static CommandManual of(String command, EventSpace space) {
    boolean isOfPrograms = space == EventSpace.USER;
    return CommandManual.of(
            "ply " + command,
            "trace definitions as the kernel's " + space.file() + " takes them",
            Argument.of("definition", Argument.Kind.FILE),
            "Traces events defined in the syntax of the kernel's " + space.file() + ".",
            "[options] <definition|file|->...")
        .with(
            "What to trace",
            Shared.command(
                "c", "run CMD in a shell once all events are attached; stop when it exits"),
            Shared.PID,
            Durations.DURATION,
            CommandOption.valued(
                "",
                "filter",
                Argument.of("EVENT:EXPR", Argument.Kind.TEXT),
                "print hits of EVENT for which EXPR is true, as the event's filter file does"),
            Sizes.MISSING_PROBES,
            CommandOption.flag("k", "keep-going", "continue when events are lost"),
            CommandOption.flag("", "unsafe", "allow probes at addresses without a symbol"))
        .with(
            "Results and messages",
            Shared.FORMAT,
            Shared.OUTPUT,
            Shared.HTML,
            Shared.SNAPSHOTS,
            CommandOption.flag("q", "quiet", "show neither warnings nor the hits of each event"),
            Shared.DEBUG)
        .with("Containers", Shared.places())
        .with("While tracing", Followers.options())
        .with(
            "Instead of tracing",
            CommandOption.flag("e", "dry-run", "check the definitions, but do not trace"),
            CommandOption.flag(
                    "S", "script", "show the definitions as a script of the ply language")
                .alsoCalled("dump"),
            CommandOption.flag("", "export", "print the lines for the kernel's file"),
            Shared.HELP,
            Shared.VERSION)
        .with(new Section.Lines("A definition is", isOfPrograms ? USER : KERNEL))
        .with(
            new Section.Lines(
                "Examples",
                isOfPrograms
                    ? "ply uprobe-events -c 'bash -c :' 'r:run /bin/bash:main ret=$retval:s32'\n"
                    : "ply kprobe-events -d 5 'p:read vfs_read count=$arg3:u64'\n"))
        .seeAlso(
            "ply(1)",
            isOfPrograms ? "ply-kprobe-events(1)" : "ply-uprobe-events(1)",
            "ply-language(7)");
  }
}
