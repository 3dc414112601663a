package dev.ply.bpf.reference;

import static dev.ply.bpf.reference.ByteStrings.encode;
import static dev.ply.bpf.reference.ByteStrings.padded;
import static dev.ply.bpf.reference.DatumConversions.scalar;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.simulate.Firing;
import dev.ply.ir.Expr;
import dev.ply.machine.Architecture;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.Provider;
import dev.ply.table.Datum;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Conversions;
import dev.ply.type.IntFormat;
import dev.ply.type.StructField;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a clause reads of the context it runs in: registers, arguments, fields of a record. */
final class ClauseContext {
  private final Architecture architecture;
  private final AnalyzedClause clause;
  private final Moment moment;

  ClauseContext(Architecture architecture, AnalyzedClause clause, Moment moment) {
    this.architecture = architecture;
    this.clause = clause;
    this.moment = moment;
  }

  /** Returns whether the CPU was in user mode. */
  boolean isUserMode() {
    return switch (clause.clause().point().provider().orElse(Provider.BEGIN)) {
      case UPROBE, URETPROBE, USDT, BEGIN, END -> true;
      case PROFILE, INTERVAL, SOFTWARE, HARDWARE ->
          moment.firing().isPresent()
              && (architecture
                          .register("cs")
                          .flatMap(architecture::registerOffset)
                          .map(this::register)
                          .orElse(0L)
                      & 3)
                  != 0;
      default -> false;
    };
  }

  /** Returns argument {@code index} of the function. */
  long argument(int index) {
    return register(architecture.argumentOffset(index).orElseThrow());
  }

  /** A register may be known by its name, as an argument, or as what the function returns. */
  long register(int offset) {
    Firing firing = firing();
    if (firing.point() instanceof KernelProbe.Kretprobe
        && offset == architecture.returnValueOffset()) {
      return firing.returned();
    }
    for (Map.Entry<String, Long> named : firing.registers().entrySet()) {
      if (architecture.registerOffset(named.getKey()).orElseThrow() == offset) {
        return named.getValue();
      }
    }
    for (Map.Entry<Integer, Long> argument : firing.arguments().entrySet()) {
      if (architecture.argumentOffset(argument.getKey()).orElseThrow() == offset) {
        return argument.getValue();
      }
    }
    return 0;
  }

  /** Returns a register, or a field of the record. */
  long member(Expr.Member node) {
    return clause.tracepoint().isPresent()
        ? field(clause.tracepoint().get(), node.name())
        : register(architecture.registerOffset(node.name()).orElseThrow());
  }

  /** Returns the whole context. */
  Datum struct(StructType type) {
    List<Datum> fields = new ArrayList<>();
    for (StructField field : type.fields()) {
      fields.add(clause.tracepoint().isPresent() ? fieldDatum(field) : registerDatum(field));
    }
    return new Datum.Struct(fields, type);
  }

  /** Returns the string that a field of the record is, or points to; empty if none is known. */
  String fieldText(String name) {
    return encode((String) firing().fields().getOrDefault(name, ""));
  }

  /** Returns what a firing says that a pointer's field points to, wherever that is. */
  Object pointedText(Expr address) {
    return address instanceof Expr.Member member && clause.tracepoint().isPresent()
        ? firing().fields().getOrDefault(member.name(), 0L)
        : 0L;
  }

  private Datum registerDatum(StructField field) {
    IntType type = (IntType) field.type();
    return scalar(CInteger.of(register(field.offset()), type), type);
  }

  private Datum fieldDatum(StructField field) {
    TracepointFormat format = clause.tracepoint().orElseThrow();
    if (field.type() instanceof ArrayType array) {
      return new Datum.Text(padded(fieldText(field.name()), array.size()));
    }
    IntType type = Conversions.asInteger(field.type()).orElseThrow();
    return scalar(CInteger.of(field(format, field.name()), type), field.type());
  }

  /** The first eight bytes are the kernel's own; some of their fields are known. */
  private long field(TracepointFormat format, String name) {
    return switch (name) {
      case "common_type" -> format.id();
      case "common_pid" -> moment.who().tid();
      case "common_flags", "common_preempt_count" -> 0;
      default -> {
        Object value = firing().fields().getOrDefault(name, 0L);
        if (value instanceof String text && isDynamic(format, name)) {
          // The offset and length of the data: after the record, with its NUL.
          yield (long) encode(text + "\0").length() << 16 | format.size();
        }
        if (!(value instanceof Long number)) {
          throw new IllegalArgumentException(
              "nobody knows where the text of \"" + name + "\" is: set a number, and Firing.text");
        }
        yield number;
      }
    };
  }

  private static boolean isDynamic(TracepointFormat format, String name) {
    return format.field(name).orElseThrow().type() instanceof IntType type
        && type.format() == IntFormat.DATA_LOCATION;
  }

  private Firing firing() {
    return moment.firing().orElseThrow(() -> new IllegalArgumentException("nothing happened"));
  }
}
