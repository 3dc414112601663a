package dev.ply.bpf.session;

import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What happens in a golden file, one thing a line: {@code kprobe:f pid=5 arg1=4096}, {@code
 * tracepoint:a:b comm="cat" filename="/etc/hosts"}, {@code kprobe:f regs.rip=0x10
 * stack=ffffffff81000010,ffffffff81002000}, {@code advance 100ms}; {@code 5 times …} repeats.
 */
final class Firings {
  private static final Pattern SETTING = Pattern.compile("([\\w.]+)=(?:\"([^\"]*)\"|(\\S+))");
  private static final Pattern REPEATED = Pattern.compile("(\\d+) times (.*)");

  private Firings() {}

  /** Lets everything happen that the lines say. */
  static void fire(SimulatedTracer tracer, String lines) {
    lines.lines().forEach(line -> fireLine(tracer, line));
  }

  private static void fireLine(SimulatedTracer tracer, String line) {
    Matcher repeated = REPEATED.matcher(line);
    if (repeated.matches()) {
      for (int i = 0; i < Integer.parseInt(repeated.group(1)); i++) {
        fireLine(tracer, repeated.group(2));
      }
    } else if (line.startsWith("advance ")) {
      String millis = line.substring("advance ".length()).replace("ms", "");
      tracer.advance(Duration.ofMillis(Long.parseLong(millis)));
    } else {
      tracer.fire(firing(line));
    }
  }

  private static Firing firing(String line) {
    int colon = line.indexOf(':');
    int end = (line + " ").indexOf(' ');
    String name = line.substring(colon + 1, end);
    Firing firing =
        switch (line.substring(0, colon)) {
          case "kprobe" -> Firing.kprobe(name);
          case "kretprobe" -> Firing.kretprobe(name);
          case "uprobe" -> Firing.uprobe(binary(name), place(name));
          case "uretprobe" -> Firing.uretprobe(binary(name), place(name));
          case "usdt" -> usdt(name.split(":", -1));
          case "software" -> Firing.software(name);
          case "hardware" -> Firing.hardware(name);
          case "rawtracepoint" -> Firing.rawTracepoint(name);
          case "tracepoint" -> Firing.tracepoint(name);
          default -> throw new IllegalArgumentException("nothing that happens: " + line);
        };
    Matcher settings = SETTING.matcher(line.substring(end));
    while (settings.find()) {
      firing =
          settings.group(1).equals("ustack")
              ? firing.userStack(addresses(settings.group(3)))
              : settings.group(1).equals("stack")
                  ? firing.stack(addresses(settings.group(3)))
                  : settings.group(2) == null
                      ? with(firing, settings.group(1), number(settings.group(3)))
                      : with(firing, settings.group(1), settings.group(2));
    }
    return firing;
  }

  /** Addresses of the kernel are above what is decoded as a signed number. */
  private static long number(String text) {
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseLong(text);
  }

  private static Long[] addresses(String list) {
    return Pattern.compile(",")
        .splitAsStream(list)
        .map(address -> Long.parseUnsignedLong(address, 16))
        .toArray(Long[]::new);
  }

  private static Firing with(Firing firing, String name, String text) {
    if (name.matches("arg\\d")) {
      return firing.arg(name.charAt(3) - '0', text);
    }
    return name.equals("comm") ? firing.comm(text) : firing.field(name, text);
  }

  private static Firing usdt(String... parts) {
    return Firing.usdt(parts[0], parts[1], parts[2]);
  }

  private static String binary(String definition) {
    return definition.substring(0, definition.indexOf(':'));
  }

  private static String place(String definition) {
    return definition.substring(definition.indexOf(':') + 1);
  }

  private static Firing with(Firing firing, String name, long value) {
    if (name.matches("arg\\d")) {
      return firing.arg(name.charAt(3) - '0', value);
    }
    if (name.startsWith("regs.")) {
      return firing.register(name.substring("regs.".length()), value);
    }
    return switch (name) {
      case "pid" -> firing.pid((int) value);
      case "tid" -> firing.tid((int) value);
      case "uid" -> firing.user((int) value, 0);
      case "cpu" -> firing.cpu((int) value);
      case "cgroup" -> firing.cgroup(value);
      case "retval" -> firing.retval(value);
      default -> firing.field(name, value);
    };
  }
}
