package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.name.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The links of a trace in a directory of a BPF filesystem, by which its programs stay attached. The
 * file of a link says what it attaches: {@code program-alternative-spec-link}, all counted from 0.
 * The directory has its name once it is complete.
 */
public final class PinnedLinks {
  private static final String COMPLETE = ":links";
  private static final String UNFINISHED = ":attaching";
  private static final Pattern NAME = Pattern.compile("(\\d+)-(\\d+)-(\\d+)-(\\d+)");

  private final Path directory;

  /**
   * Creates the access to the links of a trace.
   *
   * @param maps the directory of its pinned maps
   */
  public PinnedLinks(Path maps) {
    this.directory = maps.resolve(COMPLETE);
  }

  /** Returns whether the trace is attached. */
  public boolean exist() {
    return Files.isDirectory(directory);
  }

  /**
   * Pins the links of enabled attachments.
   *
   * @param programs all programs that were to be attached, in order
   * @throws IllegalStateException if an attachment has none, or another process was faster
   * @throws KernelException if the kernel refuses
   */
  void pin(List<ProbeProgram> programs, List<ProgramAttacher.Opened> enabled) {
    Path unfinished = directory.resolveSibling(UNFINISHED);
    remove(unfinished);
    try {
      Files.createDirectory(unfinished);
      for (ProgramAttacher.Opened opened : enabled) {
        pin(unfinished.resolve(name(programs, opened)), opened.attachment());
      }
      Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      remove(unfinished);
    }
  }

  private static void pin(Path prefix, Attachment attachment) {
    List<FileDescriptor> links = attachment.links();
    if (links.isEmpty()) {
      throw new IllegalStateException(
          attachment.description()
              + " cannot stay attached: it has no BPF link (perf events have one since Linux 5.15,"
              + " tracefs probes never)");
    }
    for (int i = 0; i < links.size(); i++) {
      String path = prefix + "-" + i;
      Errno errno =
          SystemCalls.tryBpf(BpfCommand.OBJ_PIN, BpfAttr.pin(path, links.get(i).number()));
      if (!errno.isSuccess()) {
        throw new KernelException(errno, "bpf(OBJ_PIN) of " + path);
      }
    }
  }

  private static String name(List<ProbeProgram> programs, ProgramAttacher.Opened opened) {
    for (int i = 0; i < programs.size(); i++) {
      Optional<ProbeProgram> program = Optional.of(programs.get(i));
      for (int depth = 0; program.isPresent(); depth++) {
        if (program.get().equals(opened.program())) {
          return i + "-" + depth + "-" + opened.index();
        }
        program = program.get().next();
      }
    }
    throw new IllegalArgumentException("not a program of this trace: " + opened.program().title());
  }

  /**
   * Opens the links.
   *
   * @param programs all programs that were to be attached, in order
   * @param attachments receives an attachment for each link, as soon as it is open
   * @param report receives the sites
   */
  public void open(List<ProbeProgram> programs, AttachmentSet attachments, AttachReport report) {
    for (Path file : files(directory)) {
      Matcher name = NAME.matcher(file.getFileName().toString());
      if (!name.matches()) {
        throw new IllegalStateException(file + " is no link of ply");
      }
      AttachSpec spec = spec(programs, name.toMatchResult());
      attachments.add(
          new OpenedLink(
              spec.sites().get(0).definition() + " (pinned)",
              SystemCalls.openBpf(
                  BpfCommand.OBJ_GET, BpfAttr.path(file.toString()), file.toString())),
          spec);
      if (name.group(4).equals("0")) {
        report.attached(spec);
      }
    }
  }

  private static AttachSpec spec(List<ProbeProgram> programs, MatchResult name) {
    ProbeProgram program = programs.get(Integer.parseInt(name.group(1)));
    for (int depth = Integer.parseInt(name.group(2)); depth > 0; depth--) {
      program = program.next().orElseThrow();
    }
    return program.specs().get(Integer.parseInt(name.group(3)));
  }

  /**
   * Removes the files: programs are detached when nobody has their links open.
   *
   * @return the links, for {@link RemovedLinks#awaitDetached}
   */
  public RemovedLinks remove() {
    RemovedLinks removed = RemovedLinks.of(files(directory));
    remove(directory);
    remove(directory.resolveSibling(UNFINISHED));
    return removed;
  }

  private static List<Path> files(Path links) {
    if (!Files.isDirectory(links)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(links)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path links) {
    if (!Files.isDirectory(links)) {
      return;
    }
    try {
      List<Path> files = new ArrayList<>(files(links));
      // The programs of later probes first: they usually end what earlier ones begin.
      Collections.reverse(files);
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(links);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
