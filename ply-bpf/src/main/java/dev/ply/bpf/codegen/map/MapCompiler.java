package dev.ply.bpf.codegen.map;

import dev.ply.analysis.typing.MapContent;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Maps;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.ErrorReports;
import dev.ply.bpf.codegen.emit.LossCounter;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.SharedPlace;
import dev.ply.builtin.AggregateFunction;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.result.Loss;
import dev.ply.type.Conversions;
import dev.ply.type.Encoding;
import dev.ply.type.StructField;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Compiles map operations. Keys and values are built in place; aggregations update the map's
 * memory.
 */
public final class MapCompiler implements Maps {
  private static final int BPF_ANY = 0;
  private static final int BPF_NOEXIST = 1;

  private final ClauseCode clause;
  private final CodeBuilder code;
  private final LossCounter losses;

  /** Generates the accesses of a clause to maps. */
  public MapCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
    this.losses = new LossCounter(clause.code(), clause.object());
  }

  private MapSymbol symbol(MapRef map) {
    return clause.script().map(map.name());
  }

  /** Builds the key in new memory. */
  private Place key(MapRef map) {
    MapSymbol symbol = symbol(map);
    Optional<SharedPlace> shared = clause.object().table(map.name()).shared();
    if (symbol.keys().isEmpty()) {
      Place number = clause.memory().allocate(Integer.BYTES);
      code.store(Size.W, number, new Immediate(shared.map(SharedPlace::number).orElse(0)));
      return number;
    }
    int prefix = shared.map(SharedPlace::prefix).orElse(0);
    Place start = clause.memory().allocate(prefix + Math.max(4, symbol.keyType().size()));
    shared.ifPresent(place -> code.store(Size.DW, start, new Immediate(place.number())));
    writeKey(map, symbol, start.plus(prefix));
    return start;
  }

  private void writeKey(MapRef map, MapSymbol symbol, Place key) {
    StructType type = symbol.keyType();
    Expr first = map.keys().get(0);
    if (map.keys().size() == 1
        && clause.clause().typeOf(first) instanceof TupleType tuple
        && !tuple.isRecord()) {
      clause.aggregates().write(first, key, new TupleType(type));
      return;
    }
    int end = 0;
    for (int i = 0; i < map.keys().size(); i++) {
      StructField field = type.fields().get(i);
      code.zero(key.plus(end), field.offset() - end);
      write(map.keys().get(i), key.plus(field.offset()), field.type());
      end = field.offset() + field.type().size();
    }
    code.zero(key.plus(end), type.size() - end);
  }

  /** The map that has a table's entries. */
  private CodeBuilder.Argument stored(MapRef map) {
    return code.map(clause.object().table(map.name()).stored().name());
  }

  @Override
  public void write(Expr expr, Place to, Type type) {
    if (type instanceof Type.EncodedString string
        && string.encoding() instanceof Encoding.EncodedOrText) {
      clause.texts().writeChoice(expr, to, type);
      return;
    }
    // A symbol is a number, also where functions of probe sites are stored.
    Optional<IntType> number =
        Conversions.asInteger(type).or(() -> Conversions.asInteger(clause.clause().typeOf(expr)));
    if (number.isPresent()) {
      IntType integer = number.get();
      ScalarCode value = clause.expressions().scalar(expr, integer);
      code.store(Size.ofBytes(type.size()), to, clause.arithmetic().operand(value, integer));
    } else if (type.isAggregate()) {
      clause.aggregates().write(expr, to, type);
    } else {
      clause.texts().write(expr, to, type.size());
    }
  }

  @Override
  public ScalarCode read(MapRef map) {
    IntType type = Conversions.asInteger(symbol(map).content().type()).orElseThrow();
    Place key = key(map);
    Register result = code.fresh();
    Register found = code.callForResult(Helper.MAP_LOOKUP_ELEM, stored(map), code.address(key));
    Label missing = code.label("missing");
    code.constant(result, 0);
    code.jumpIfNull(found, reported(missing));
    ScalarCode value =
        symbol(map).content() instanceof MapContent.Plain
            ? clause.expressions().load(type, new Place(found, 0))
            : new AccumulatorReader(clause, map).read(found);
    code.move(result, clause.arithmetic().register(value));
    code.place(missing);
    return new InRegister(result);
  }

  /**
   * Returns where to go if a key is missing: to {@code missing}, after a report where errors are
   * reported.
   */
  private Label reported(Label missing) {
    Optional<ErrorReports> errors = code.errors();
    if (errors.isEmpty()) {
      return missing;
    }
    Label failed = code.label("failed");
    code.outOfLine(
        () -> {
          code.place(failed);
          errors.get().report(Helper.MAP_LOOKUP_ELEM, new Immediate(0));
          code.jump(missing);
        });
    return failed;
  }

  @Override
  public void jumpIfPresent(MapRef map, boolean sense, Label target) {
    Place key = key(map);
    Register found = code.callForResult(Helper.MAP_LOOKUP_ELEM, stored(map), code.address(key));
    if (sense) {
      code.jumpIfNotNull(found, target);
    } else {
      code.jumpIfNull(found, target);
    }
  }

  @Override
  public void read(MapRef map, Place to, int size) {
    Place key = key(map);
    Register found = code.callForResult(Helper.MAP_LOOKUP_ELEM, stored(map), code.address(key));
    Label missing = code.label("missing");
    Label end = code.label("read");
    code.jumpIfNull(found, reported(missing));
    code.copy(new Place(found, 0), to, size);
    code.place(end);
    code.outOfLine(
        () -> {
          code.place(missing);
          code.zero(to, size);
          code.jump(end);
        });
  }

  @Override
  public void store(MapRef map, Expr value) {
    Type type = symbol(map).content().type();
    Place memory = clause.memory().allocate(Math.max(8, type.size()));
    write(value, memory, type);
    Place key = key(map);
    Register error =
        code.callForResult(
            Helper.MAP_UPDATE_ELEM,
            stored(map),
            code.address(key),
            code.address(memory),
            code.value(BPF_ANY));
    Label failed = code.label("failed");
    Label stored = code.label("stored");
    code.jump(Width.W64, JumpOp.JNE, error, new Immediate(0), failed);
    code.place(stored);
    code.outOfLine(
        () -> {
          code.place(failed);
          code.errors().ifPresent(errors -> errors.report(Helper.MAP_UPDATE_ELEM, error));
          losses.count(Loss.UPDATES, stored);
        });
  }

  @Override
  public Register entry(MapRef map, Label giveUp) {
    BpfMap bpfMap = clause.object().table(map.name()).stored();
    Place key = key(map);
    Place word = clause.memory().allocate(Long.BYTES);
    Register value = code.callForResult(Helper.MAP_LOOKUP_ELEM, stored(map), code.address(key));
    Label missing = code.label("missing");
    Label found = code.label("found");
    code.jumpIfNull(value, missing);
    code.place(found);
    code.outOfLine(
        () -> {
          code.place(missing);
          Optional<Register> error = insert(bpfMap, key, word);
          code.move(
              value, code.callForResult(Helper.MAP_LOOKUP_ELEM, stored(map), code.address(key)));
          code.jumpIfNotNull(value, found);
          error.ifPresent(
              result -> code.errors().orElseThrow().report(Helper.MAP_UPDATE_ELEM, result));
          losses.count(Loss.UPDATES, giveUp);
        });
    return value;
  }

  @Override
  public Register delete(MapRef map) {
    Place key = key(map);
    return code.callForResult(Helper.MAP_DELETE_ELEM, stored(map), code.address(key));
  }

  @Override
  public void remove(MapRef map) {
    Register result = delete(map);
    code.errors().ifPresent(errors -> errors.check(Helper.MAP_DELETE_ELEM, result));
  }

  @Override
  public void aggregate(MapRef map, Aggregation aggregation) {
    AggregationCode.of(AggregateFunction.of(aggregation))
        .update(new AccumulatorCompiler(clause, map), aggregation.arguments());
  }

  @Override
  public Register slot(MapRef map, Label giveUp) {
    MapLayout layout = clause.object().table(map.name());
    BpfMap bpfMap = layout.map();
    if (bpfMap.type() == MapType.ARRAY) {
      return place(map, layout);
    }
    Place key = bpfMap.type() == MapType.PERCPU_ARRAY ? index(map, layout) : key(map);
    Register slot = code.callForResult(Helper.MAP_LOOKUP_ELEM, stored(map), code.address(key));
    if (bpfMap.type() == MapType.PERCPU_ARRAY) {
      code.jumpIfNull(slot, giveUp);
      return slot;
    }
    Label missing = code.label("missing");
    Label found = code.label("found");
    Place word = clause.memory().allocate(Long.BYTES);
    code.jumpIfNull(slot, missing);
    code.place(found);
    addOwnSlot(slot, bpfMap.slots(), bpfMap.slotSize());
    code.outOfLine(
        () -> {
          code.place(missing);
          Optional<Register> error = insert(layout.stored(), key, word);
          code.move(
              slot, code.callForResult(Helper.MAP_LOOKUP_ELEM, stored(map), code.address(key)));
          code.jumpIfNotNull(slot, found);
          error.ifPresent(
              result -> code.errors().orElseThrow().report(Helper.MAP_UPDATE_ELEM, result));
          losses.count(Loss.UPDATES, giveUp);
        });
    return slot;
  }

  /** Returns the address of this CPU's accumulator for a known key. */
  private Register place(MapRef map, MapLayout layout) {
    int slotSize = layout.map().slotSize();
    int slots = layout.map().slots() / layout.keys().size();
    Register place = code.fresh();
    int first = layout.shared().map(SharedPlace::number).orElse(0);
    code.mapValue(layout.stored().name(), (first + number(map, layout) * slots) * slotSize)
        .load(place);
    addOwnSlot(place, slots, slotSize);
    return place;
  }

  private void addOwnSlot(Register address, int slots, int slotSize) {
    if (slots > 1) {
      // As the number of slots is a power of two, the verifier needs no comparison.
      Register own = code.fresh();
      code.move(own, clause.processor());
      code.alu(Width.W64, AluOp.AND, own, slots - 1);
      code.alu(Width.W64, AluOp.LSH, own, Integer.numberOfTrailingZeros(slotSize));
      code.alu(Width.W64, AluOp.ADD, address, own);
    }
  }

  /** Writes the index of a known key to new memory. */
  private Place index(MapRef map, MapLayout layout) {
    Place index = clause.memory().allocate(Integer.BYTES);
    int first = layout.shared().map(SharedPlace::number).orElse(0);
    int own = layout.keys().isEmpty() ? 0 : number(map, layout);
    code.store(Size.W, index, new Immediate(first + own));
    return index;
  }

  private int number(MapRef map, MapLayout layout) {
    ByteBuffer key = clause.known().key(layout.symbol(), map).orElseThrow();
    return layout.keys().indexOf(key);
  }

  /**
   * Inserts zeroes under the key, unless another CPU has just done so, and returns the error
   * number, if errors are reported.
   */
  private Optional<Register> insert(BpfMap bpfMap, Place key, Place word) {
    CodeBuilder.Argument zeroes = code.address(word);
    if (bpfMap.valueSize() > Long.BYTES) {
      zeroes = code.mapValue(clause.object().zeroes(bpfMap.valueSize()), 0);
    } else {
      code.zero(word, Long.BYTES);
    }
    CodeBuilder.Argument[] arguments = {
      code.map(bpfMap.name()), code.address(key), zeroes, code.value(BPF_NOEXIST)
    };
    if (code.errors().isPresent()) {
      return Optional.of(code.callForResult(Helper.MAP_UPDATE_ELEM, arguments));
    }
    code.call(Helper.MAP_UPDATE_ELEM, arguments);
    return Optional.empty();
  }
}
