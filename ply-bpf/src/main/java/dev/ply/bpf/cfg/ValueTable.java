package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The value table of global value numbering: equal numbers at one point mean equal values there.
 *
 * <p>Number 0 is the unknown value.
 */
final class ValueTable {
  /** The expression that computes a value. */
  sealed interface Form {
    /** Returns the hash key of this form. */
    Key key();
  }

  /**
   * The hash key of a form. Short programs already create thousands, on a cold JVM, where the
   * generated {@code equals} and {@code hashCode} of records would dominate.
   *
   * @param kind distinguishes the classes of forms
   */
  record Key(int kind, long a, long b, long c, Optional<Object> object) {
    Key(int kind, long a, long b, long c) {
      this(kind, a, b, c, Optional.empty());
    }
  }

  /** A constant. */
  record Constant(long value) implements Form {
    @Override
    public Key key() {
      return new Key(1, value, 0, 0);
    }
  }

  /** The value of a register at program entry. */
  record Initial(int register) implements Form {
    @Override
    public Key key() {
      return new Key(2, register, 0, 0);
    }
  }

  /** An opaque value of {@code location}, defined by the instruction at {@code index}. */
  record Opaque(int index, int location) implements Form {
    @Override
    public Key key() {
      return new Key(3, index, location, 0);
    }
  }

  /** An opaque result of a call; not a stack address. */
  record Returned(int index) implements Form {
    @Override
    public Key key() {
      return new Key(4, index, 0, 0);
    }
  }

  /** The phi of {@code location} at the label at {@code index}. */
  record Phi(int index, int location) implements Form {
    @Override
    public Key key() {
      return new Key(5, index, location, 0);
    }
  }

  /** {@code left op right}. */
  record Operation(Width width, AluOp op, int left, int right) implements Form {
    @Override
    public Key key() {
      return new Key(6, width == Width.W64 ? 1 : 0, left, right, Optional.of(op));
    }
  }

  /** {@code base + distance}, never of a base that is itself a sum. */
  record Sum(int base, long distance) implements Form {
    @Override
    public Key key() {
      return new Key(7, base, distance, 0);
    }
  }

  /** A load from {@code base + offset}, for a version of memory. */
  record Loaded(Size size, Extension extension, int base, long offset, int version)
      implements Form {
    @Override
    public Key key() {
      return new Key(extension == Extension.ZERO ? 8 : 9, base, offset, version, Optional.of(size));
    }
  }

  /** Bytes of a longer value in memory. */
  record Part(int whole, int offset, Size size) implements Form {
    @Override
    public Key key() {
      return new Key(10, whole, offset, size.bytes());
    }
  }

  /** The result of a helper that returns the same throughout one run of a program. */
  record Invariant(Helper helper) implements Form {
    @Override
    public Key key() {
      return new Key(11, helper.number(), 0, 0);
    }
  }

  /** The name of the current thread: 16 bytes in memory. */
  record ThreadName() implements Form {
    @Override
    public Key key() {
      return new Key(12, 0, 0, 0);
    }
  }

  /** The result of a map lookup, for a version of all maps' keys. */
  record Lookup(int map, List<Integer> parts, int version) implements Form {
    @Override
    public Key key() {
      return new Key(13, map, version, 0, Optional.of(parts));
    }
  }

  /** The address of a map or of its value. */
  record Wide(WideSource source) implements Form {
    @Override
    public Key key() {
      return new Key(14, 0, 0, 0, Optional.of(source));
    }
  }

  private final Map<Key, Integer> numbers = new HashMap<>();
  private final List<Form> forms = new ArrayList<>();

  /** The phis none of whose operands is a stack address. */
  private final Set<Integer> offStack = new HashSet<>();

  ValueTable() {
    forms.add(new Opaque(-1, 0));
  }

  int number(Form form) {
    Integer number = numbers.putIfAbsent(form.key(), forms.size());
    if (number != null) {
      return number;
    }
    forms.add(form);
    return forms.size() - 1;
  }

  /** Returns the opaque value of {@code location} that the instruction at {@code index} defines. */
  int opaque(int index, int location) {
    return number(new Opaque(index, location));
  }

  /** Returns the value of {@code size} bytes of a longer value in memory. */
  int part(int whole, int offset, int size) {
    return number(new Part(whole, offset, Size.ofBytes(size)));
  }

  int constant(long value) {
    return number(new Constant(value));
  }

  Form form(int number) {
    return forms.get(number);
  }

  OptionalLong constantOf(int number) {
    return form(number) instanceof Constant constant
        ? OptionalLong.of(constant.value())
        : OptionalLong.empty();
  }

  /** Returns the value of {@code left op right}, simplified. */
  int operation(Width width, AluOp op, int left, int right) {
    OptionalLong amount = constantOf(right);
    if (op == AluOp.MOV) {
      return width == Width.W64 ? right : lower(right);
    }
    if (amount.isPresent()) {
      OptionalLong known = constantOf(left);
      OptionalLong folded =
          known.isPresent()
              ? fold(width, op, known.getAsLong(), amount.getAsLong())
              : OptionalLong.empty();
      if (folded.isPresent()) {
        return constant(folded.getAsLong());
      }
      if (width == Width.W64 && op == AluOp.ADD) {
        return sum(left, amount.getAsLong());
      }
      if (width == Width.W64 && op == AluOp.SUB) {
        return sum(left, -amount.getAsLong());
      }
    }
    return number(new Operation(width, op, left, right));
  }

  int sum(int base, long distance) {
    long total = base(base) == base ? distance : distance + ((Sum) form(base)).distance();
    return total == 0 ? base(base) : number(new Sum(base(base), total));
  }

  /** Returns the base of a sum, else the value itself. */
  int base(int number) {
    return form(number) instanceof Sum sum ? sum.base() : number;
  }

  /** Returns the distance of a value from its base. */
  long distance(int number) {
    return form(number) instanceof Sum sum ? sum.distance() : 0;
  }

  /** Returns the low 32 bits of a value, zero-extended. */
  int lower(int number) {
    OptionalLong constant = constantOf(number);
    if (constant.isPresent()) {
      return constant(constant.getAsLong() & 0xffff_ffffL);
    }
    return fits32Bits(number) ? number : number(new Operation(Width.W32, AluOp.MOV, 0, number));
  }

  /** Returns what a zero-extending load yields after a store of {@code number} of {@code size}. */
  int stored(Size size, int number) {
    if (size == Size.DW) {
      return number;
    }
    if (size == Size.W) {
      return lower(number);
    }
    long mask = (1L << (size.bytes() * 8)) - 1;
    return operation(Width.W64, AluOp.AND, number, constant(mask));
  }

  /** Returns whether the upper 32 bits of a value are known to be zero. */
  private boolean fits32Bits(int number) {
    Form form = form(number);
    if (form instanceof Operation operation) {
      return operation.width() == Width.W32
          || (operation.op() == AluOp.RSH && atLeast(operation.right(), 32));
    }
    return (form instanceof Loaded loaded
            && loaded.extension() == Extension.ZERO
            && loaded.size() != Size.DW)
        || (form instanceof Part part && part.size() != Size.DW);
  }

  private boolean atLeast(int number, long least) {
    OptionalLong constant = constantOf(number);
    return constant.isPresent() && constant.getAsLong() >= least && constant.getAsLong() < 64;
  }

  /** Returns the offset from r10 of a stack address. */
  OptionalInt stackOffset(int number) {
    return form(base(number)) instanceof Initial initial && initial.register() == 10
        ? OptionalInt.of((int) distance(number))
        : OptionalInt.empty();
  }

  /** Returns whether a value is known not to be a stack address. */
  boolean isOffStack(int number) {
    Form form = form(base(number));
    if (form instanceof Operation operation) {
      return operation.op() == AluOp.ADD && isMapPointer(operation.left());
    }
    return form instanceof Constant
        || (form instanceof Phi && offStack.contains(base(number)))
        || form instanceof Returned
        || form instanceof Invariant
        || form instanceof Lookup
        || form instanceof Wide
        || form instanceof Loaded
        || (form instanceof Initial initial && initial.register() != 10);
  }

  /** Returns whether a value is a pointer to a map or to a map's value. */
  private boolean isMapPointer(int number) {
    Form form = form(base(number));
    return form instanceof Lookup
        || form instanceof Wide
        || (form instanceof Phi && offStack.contains(base(number)));
  }

  /**
   * Returns the phi of two values at the label at {@code index}.
   *
   * @param earlier the value of the paths joined so far
   */
  int phi(int earlier, int other, int index, int location) {
    int phi = number(new Phi(index, location));
    boolean off = isOffStack(earlier) && isOffStack(other);
    if (phi != earlier && off) {
      offStack.add(phi);
    } else if (!off) {
      offStack.remove(phi);
    }
    return phi;
  }

  /** Returns whether memory at an address is constant while the program runs. */
  boolean isConstantMemory(int number) {
    Form form = form(base(number));
    return form instanceof Initial || form instanceof Invariant;
  }

  private static OptionalLong fold(Width width, AluOp op, long left, long right) {
    long bits = width == Width.W64 ? 63 : 31;
    long low = 0xffff_ffffL;
    long a = width == Width.W64 ? left : left & low;
    long result;
    switch (op) {
      case ADD -> result = left + right;
      case SUB -> result = left - right;
      case MUL -> result = left * right;
      case OR -> result = left | right;
      case AND -> result = left & right;
      case XOR -> result = left ^ right;
      case LSH -> result = left << (right & bits);
      case RSH -> result = a >>> (right & bits);
      case ARSH -> result = (width == Width.W64 ? left : (int) left) >> (right & bits);
      case MOV -> result = right;
      case DIV, MOD, SDIV, SMOD -> {
        return OptionalLong.empty();
      }
      default -> throw new AssertionError(op);
    }
    return OptionalLong.of(width == Width.W64 ? result : result & low);
  }
}
