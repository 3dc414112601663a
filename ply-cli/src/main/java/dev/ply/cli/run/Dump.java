package dev.ply.cli.run;

import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.verifier.StateNotes;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.target.KernelTypes;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/** A dump of a program: its intermediate representation, maps and bytecode. */
public final class Dump {
  private static final int BYTES_PER_SLOT = 8;

  private final Source source;
  private final KernelTypes types;
  private final Set<Section> sections;

  /** A part of a dump. */
  public enum Section {
    /** The intermediate representation. */
    IR,
    /** Maps. */
    MAPS,
    /** Bytecode without the optimiser's passes. */
    PLAIN,
    /** Bytecode. */
    CODE,
    /** The verifier's state after each instruction. */
    STATES
  }

  /**
   * Creates a dump with source lines beside the code.
   *
   * @param types the target's
   * @param sections the sections to print
   */
  Dump(Source source, KernelTypes types, Set<Section> sections) {
    this.source = source;
    this.types = types;
    this.sections = Set.copyOf(sections);
  }

  /**
   * Returns the dump, in sections with headings.
   *
   * @param plain the program without optimisation
   */
  String text(Script script, BpfObject plain, BpfObject object) {
    StringBuilder out = new StringBuilder();
    if (sections.contains(Section.IR)) {
      out.append("-- ir\n").append(IrPrinter.print(script));
    }
    if (sections.contains(Section.MAPS) && !object.maps().isEmpty()) {
      out.append("\n-- maps\n");
      object.maps().forEach(map -> append(out, object, map));
    }
    if (sections.contains(Section.PLAIN)) {
      plain.programs().forEach(program -> append(out, "plain", plain, program));
    }
    if (sections.contains(Section.CODE)) {
      object.programs().forEach(program -> append(out, "bpf", object, program));
    }
    return out.append('\n').toString();
  }

  private static void append(StringBuilder out, BpfObject object, BpfMap map) {
    String name =
        object.tables().stream()
            .filter(table -> table.map().equals(map))
            .map(MapLayout::symbol)
            .map(symbol -> symbol.name())
            .findFirst()
            .orElse(map.name());
    out.append(name)
        .append(": ")
        .append(
            map.type()
                .name()
                .toLowerCase(Locale.ROOT)
                .replace("percpu", "per-CPU")
                .replace('_', ' '));
    if (map.valueSize() > 0) {
      out.append(", ").append(map.keySize()).append("-byte keys, ");
      out.append(map.valueSize()).append("-byte values, ");
      if (map.slots() > 1) {
        out.append(map.slots()).append(" slots in each, ");
      }
      out.append(map.maxEntries()).append(map.maxEntries() == 1 ? " entry" : " entries");
    } else {
      out.append(", ").append(map.maxEntries()).append(" bytes");
    }
    out.append('\n');
  }

  private void append(StringBuilder out, String heading, BpfObject object, ProbeProgram program) {
    int slots = program.program().slots();
    out.append("\n-- ").append(heading).append(' ').append(program.title());
    out.append(", ").append(slots * BYTES_PER_SLOT).append(" bytes\n");
    IntFunction<Optional<String>> notes = index -> Optional.empty();
    if (sections.contains(Section.STATES)) {
      notes = StateNotes.of(new Verifier(object.maps(), types), program.program())::at;
    }
    out.append(Disassembler.listing(program.program().code(), this::line, notes));
  }

  private Optional<String> line(SourceSpan span) {
    return span.source().equals(source.name()) ? source.line(span.line()) : Optional.empty();
  }
}
