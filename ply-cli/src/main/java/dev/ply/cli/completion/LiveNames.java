package dev.ply.cli.completion;

import dev.ply.listing.Detail;
import dev.ply.listing.Listed;
import dev.ply.listing.ProbeListing;
import dev.ply.listing.ProbeNames;
import dev.ply.probe.Provider;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import dev.ply.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of a machine and of the language that continue an unfinished script. They are read, and
 * nothing is loaded into the kernel. Names with control characters are left out: terminals would
 * obey them.
 */
public final class LiveNames {
  /** More are shown by their beginnings. */
  private static final int MOST = 300;

  /** Characters of patterns. */
  private static final Pattern GLOB = Pattern.compile("[*?\\[\\]{}()@]");

  /** A binary in quotes or without, and what follows the colon after it. */
  private static final Pattern BINARY =
      Pattern.compile("(\"[^\"]*\"|[^:\"]*):(.*)", Pattern.DOTALL);

  /** The name of a field in its declaration in C. */
  private static final Pattern FIELD = Pattern.compile("([A-Za-z_]\\w*)(?:\\[[^\\]]*\\])*$");

  private static final Pattern UNQUOTED = Pattern.compile("[\\w.@+~%/-]+");
  private static final Pattern QUOTED = Pattern.compile("[^\"\\\\]+");

  private final Target target;
  private final List<Path> programs;

  /**
   * Creates the names of a machine.
   *
   * @param target whose probes are meant
   * @param programs the directories of programs, as in {@code $PATH}
   */
  public LiveNames(Target target, List<Path> programs) {
    this.target = target;
    this.programs = List.copyOf(programs);
  }

  /** {@return the directories of {@code $PATH}} */
  public static List<Path> programDirectories() {
    List<Path> directories = new ArrayList<>();
    for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      // The environment has no NUL, all that a path cannot have.
      if (directory.startsWith("/")) {
        directories.add(Path.of(directory));
      }
    }
    return directories;
  }

  /** {@return the whole text with each name that its end can become; none for several lines} */
  public List<String> continuing(String text) {
    if (text.indexOf('\n') >= 0) {
      return List.of();
    }
    Position position = Position.of(text);
    String before = text.substring(0, text.length() - position.start().length());
    return at(position).stream().map(name -> before + name).toList();
  }

  /** {@return the names that what is being written at a position can become, sorted} */
  public List<String> at(Position position) {
    return grouped(position.start(), names(position)).stream()
        .filter(name -> name.chars().noneMatch(Character::isISOControl))
        .toList();
  }

  private Stream<String> names(Position position) {
    if (position instanceof Position.Probe probe) {
      return probes(probe.start());
    } else if (position instanceof Position.Field field) {
      return fields(field.probe());
    } else if (position instanceof Position.Word) {
      return words();
    }
    return Stream.empty();
  }

  /** {@return the names of the language, but those of probes} */
  private static Stream<String> words() {
    return Stream.concat(
        Stream.of("args"),
        LanguageReference.topics().stream()
            .filter(topic -> topic.kind() != Topic.Kind.PROBE)
            .flatMap(topic -> topic.names().stream())
            .filter(name -> name.matches("[A-Za-z_]\\w*")));
  }

  /** {@return the beginnings of probes, up to the colon after the provider} */
  public static Stream<String> providers() {
    return LanguageReference.topics().stream()
        .filter(topic -> topic.kind() == Topic.Kind.PROBE)
        .flatMap(
            topic -> {
              boolean isAlone = topic.forms().get(0).indexOf(':') < 0;
              return topic.names().stream().map(name -> isAlone ? name : name + ":");
            });
  }

  private Stream<String> probes(String start) {
    int colon = start.indexOf(':');
    if (colon < 0) {
      return providers();
    }
    String keyword = start.substring(0, colon);
    String rest = start.substring(colon + 1);
    Optional<Provider> provider = Provider.named(keyword);
    if (keyword.isEmpty() || provider.isEmpty()) {
      return Stream.empty();
    }
    String prefix = keyword + ":";
    return (provider.get().site().isInUserSpace()
            ? user(provider.get(), rest)
            : kernel(provider.get(), rest))
        .map(name -> prefix + name);
  }

  private Stream<String> kernel(Provider provider, String rest) {
    if (GLOB.matcher(rest).find()) {
      return Stream.empty();
    }
    boolean isTracepoint = provider.site() == Provider.Site.TRACEPOINT;
    String pattern = isTracepoint && rest.indexOf(':') < 0 ? rest + "*:*" : rest + "*";
    return listed(listable(provider) + ":" + pattern, Detail.NAMES)
        .map(Listed.Probe::name)
        .filter(name -> !name.isEmpty());
  }

  /** Whether functions have trampolines is tried by loading one; their names are the same. */
  private static String listable(Provider provider) {
    return provider.site() == Provider.Site.TYPED_FUNCTION
        ? Provider.KPROBE.keyword()
        : provider.keyword();
  }

  private Stream<String> user(Provider provider, String rest) {
    Matcher binary = BINARY.matcher(rest);
    if (!binary.matches()) {
      return rest.startsWith("\"") || rest.contains("/") ? files(rest) : programs(rest);
    }
    String name = binary.group(1);
    String path = name.startsWith("\"") ? name.substring(1, name.length() - 1) : name;
    boolean isOther = path.contains("/") && !Files.isRegularFile(Path.of(path));
    if (path.isEmpty() || isOther || GLOB.matcher(name + binary.group(2)).find()) {
      return Stream.empty();
    }
    return listed(provider.keyword() + ":" + rest + "*", Detail.NAMES)
        .map(probe -> BINARY.matcher(probe.name()))
        .filter(Matcher::matches)
        .map(found -> name + ":" + found.group(2));
  }

  private Stream<String> files(String start) {
    boolean isQuoted = start.startsWith("\"");
    String path = isQuoted ? start.substring(1) : start;
    String directory = path.substring(0, path.lastIndexOf('/') + 1);
    Pattern allowed = isQuoted ? QUOTED : UNQUOTED;
    Path parent = Path.of(directory.isEmpty() ? "." : directory);
    // A path of a pipe and a slash is one without the slash, and reading that would wait.
    if (!Files.isDirectory(parent)) {
      return Stream.empty();
    }
    List<String> names = new ArrayList<>();
    try (Stream<Path> entries = Files.list(parent)) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        String name = directory + entry.getFileName();
        if (!name.startsWith(path) || !allowed.matcher(name).matches()) {
          continue;
        }
        String shown = (isQuoted ? "\"" : "") + name;
        if (Files.isDirectory(entry)) {
          names.add(shown + "/");
        } else if (Files.isRegularFile(entry)) {
          names.add(shown + (isQuoted ? "\":" : ":"));
        }
      }
    } catch (IOException e) {
      return Stream.empty();
    }
    return names.stream();
  }

  private Stream<String> programs(String start) {
    TreeSet<String> names = new TreeSet<>();
    for (Path directory : programs) {
      names.addAll(programs(directory, start));
    }
    return names.stream();
  }

  /** As for shells, a directory of $PATH need not exist. */
  private static List<String> programs(Path directory, String start) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .map(entry -> String.valueOf(entry.getFileName()))
          .filter(name -> name.startsWith(start) && UNQUOTED.matcher(name).matches())
          .map(name -> name + ":")
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private Stream<String> fields(String probe) {
    return declarations(probe).map(LiveNames::declared).flatMap(Optional::stream);
  }

  /** {@return the fields that clauses of one probe can read, as C declares them} */
  public Stream<String> declarations(String probe) {
    int colon = probe.indexOf(':');
    Optional<Provider> provider =
        colon < 1 ? Optional.empty() : Provider.named(probe.substring(0, colon));
    if (provider.isEmpty() || GLOB.matcher(probe).find()) {
      return Stream.empty();
    }
    return listed(listable(provider.get()) + probe.substring(colon), Detail.FIELDS)
        .flatMap(one -> one.fields().stream());
  }

  /** {@return the name of the field that a declaration in C is of} */
  public static Optional<String> declared(String declaration) {
    Matcher field = FIELD.matcher(declaration);
    return field.find() ? Optional.of(field.group(1)) : Optional.empty();
  }

  private Stream<Listed.Probe> listed(String pattern, Detail detail) {
    return new ProbeListing(target, ProbeNames.PLY, detail)
        .list(pattern).stream()
            .filter(Listed.Probe.class::isInstance)
            .map(Listed.Probe.class::cast);
  }

  /**
   * {@return names with this beginning; if they are many, their beginnings up to the next colon or
   * underscore. None is left out: what all have in common is what the shell inserts}
   */
  static List<String> grouped(String start, Stream<String> names) {
    List<String> all =
        new ArrayList<>(new TreeSet<>(names.filter(name -> name.startsWith(start)).toList()));
    for (char separator : new char[] {':', '_'}) {
      if (all.size() <= MOST) {
        break;
      }
      TreeSet<String> groups = new TreeSet<>();
      for (String name : all) {
        int end = name.indexOf(separator, start.length());
        groups.add(end < 0 ? name : name.substring(0, end + 1));
      }
      if (groups.size() > 1) {
        all = new ArrayList<>(groups);
      }
    }
    return all;
  }
}
