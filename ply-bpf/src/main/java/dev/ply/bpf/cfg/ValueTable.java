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
 * Numbers for the values a program computes: whatever has the same number at one point of the
 * program has the same value there (value numbering). Number 0 stands for what is not known.
 */
final class ValueTable {
  /** How a value comes about. */
  sealed interface Form {
    /** Returns what tells it from all others. */
    Key key();
  }

  /**
   * What tells a form from all others. Thousands are made and compared even for a short program, on
   * a machine that has just started, where what records are given for it would take the most time.
   *
   * @param kind the place of the form's class among them
   */
  record Key(int kind, long a, long b, long c, Optional<Object> object) {
    Key(int kind, long a, long b, long c) {
      this(kind, a, b, c, Optional.empty());
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key
          && kind == key.kind
          && a == key.a
          && b == key.b
          && c == key.c
          && (object.isEmpty() ? key.object.isEmpty() : object.equals(key.object));
    }

    @Override
    public int hashCode() {
      long mixed = ((kind * 31L + a) * 31 + b) * 31 + c;
      int own = (int) (mixed ^ mixed >>> 32);
      return object.isEmpty() ? own : own * 31 + object.get().hashCode();
    }
  }

  /** A known number. */
  record Constant(long value) implements Form {
    @Override
    public Key key() {
      return new Key(1, value, 0, 0);
    }
  }

  /** What a register holds when the program starts. */
  record Initial(int register) implements Form {
    @Override
    public Key key() {
      return new Key(2, register, 0, 0);
    }
  }

  /** What the instruction at {@code index} makes, of which nothing more is known. */
  record Made(int index, int place) implements Form {
    @Override
    public Key key() {
      return new Key(3, index, place, 0);
    }
  }

  /** What a call leaves in r0, of which nothing more is known but that it is no stack address. */
  record Returned(int index) implements Form {
    @Override
    public Key key() {
      return new Key(4, index, 0, 0);
    }
  }

  /** One of several values, depending on where control came from to the label at {@code index}. */
  record Merged(int index, int place) implements Form {
    @Override
    public Key key() {
      return new Key(5, index, place, 0);
    }
  }

  /** {@code left op right}. */
  record Operation(Width width, AluOp op, int left, int right) implements Form {
    @Override
    public Key key() {
      return new Key(6, width == Width.W64 ? 1 : 0, left, right, Optional.of(op));
    }
  }

  /** {@code base + distance}. */
  record Sum(int base, long distance) implements Form {
    @Override
    public Key key() {
      return new Key(7, base, distance, 0);
    }
  }

  /** What memory holds at {@code base + offset}, as of a version of all memory. */
  record Loaded(Size size, Extension extension, int base, long offset, int version)
      implements Form {
    @Override
    public Key key() {
      return new Key(extension == Extension.ZERO ? 8 : 9, base, offset, version, Optional.of(size));
    }
  }

  /** Some bytes of a longer value in memory. */
  record Part(int whole, int offset, Size size) implements Form {
    @Override
    public Key key() {
      return new Key(10, whole, offset, size.bytes());
    }
  }

  /** What a helper gives that always gives the same in one run of a program. */
  record Fact(Helper helper) implements Form {
    @Override
    public Key key() {
      return new Key(11, helper.number(), 0, 0);
    }
  }

  /** The name of the running thread, 16 bytes in memory. */
  record ThreadName() implements Form {
    @Override
    public Key key() {
      return new Key(12, 0, 0, 0);
    }
  }

  /** What the look-up of a key gives, as of a version of all maps' keys. */
  record Found(int map, List<Integer> parts, int version) implements Form {
    @Override
    public Key key() {
      return new Key(13, map, version, 0, Optional.of(parts));
    }
  }

  /** The address of a map or of memory in it. */
  record Wide(WideSource source) implements Form {
    @Override
    public Key key() {
      return new Key(14, 0, 0, 0, Optional.of(source));
    }
  }

  private final Map<Key, Integer> numbers = new HashMap<>();
  private final List<Form> forms = new ArrayList<>();

  /** The merged values of which none is an address on the stack. */
  private final Set<Integer> offStack = new HashSet<>();

  ValueTable() {
    forms.add(new Made(-1, 0));
  }

  int number(Form form) {
    Integer number = numbers.putIfAbsent(form.key(), forms.size());
    if (number != null) {
      return number;
    }
    forms.add(form);
    return forms.size() - 1;
  }

  /** Returns the number of what the instruction at {@code index} makes. */
  int made(int index, int place) {
    return number(new Made(index, place));
  }

  /** Returns the number of some bytes of a longer value in memory. */
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

  /** Returns what a sum adds to, else the value itself. */
  int base(int number) {
    return form(number) instanceof Sum sum ? sum.base() : number;
  }

  /** Returns how far a value is from its base. */
  long distance(int number) {
    return form(number) instanceof Sum sum ? sum.distance() : 0;
  }

  /** Returns the lower 32 bits of a value. */
  int lower(int number) {
    OptionalLong constant = constantOf(number);
    if (constant.isPresent()) {
      return constant(constant.getAsLong() & 0xffff_ffffL);
    }
    return fitsLower(number) ? number : number(new Operation(Width.W32, AluOp.MOV, 0, number));
  }

  /** Returns what a load of {@code size} bytes gives after a value was stored there. */
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

  /** Tells whether the upper 32 bits of a value are known to be zero. */
  private boolean fitsLower(int number) {
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

  /** Returns the offset from the frame pointer if the value is an address on the stack. */
  OptionalInt stackOffset(int number) {
    return form(base(number)) instanceof Initial initial && initial.register() == 10
        ? OptionalInt.of((int) distance(number))
        : OptionalInt.empty();
  }

  /** Tells whether a value is known not to be an address on the stack. */
  boolean isOffStack(int number) {
    Form form = form(base(number));
    if (form instanceof Operation operation) {
      return operation.op() == AluOp.ADD && isObject(operation.left());
    }
    return form instanceof Constant
        || (form instanceof Merged && offStack.contains(base(number)))
        || form instanceof Returned
        || form instanceof Fact
        || form instanceof Found
        || form instanceof Wide
        || form instanceof Loaded
        || (form instanceof Initial initial && initial.register() != 10);
  }

  /** Tells whether a value can only be the address of something that the kernel handed out. */
  private boolean isObject(int number) {
    Form form = form(base(number));
    return form instanceof Found
        || form instanceof Wide
        || (form instanceof Merged && offStack.contains(base(number)));
  }

  /**
   * Returns the number of what is one of two values.
   *
   * @param earlier the number that stood for the values joined before
   */
  int merged(int earlier, int other, int index, int place) {
    int merged = number(new Merged(index, place));
    boolean off = isOffStack(earlier) && isOffStack(other);
    if (merged != earlier && off) {
      offStack.add(merged);
    } else if (!off) {
      offStack.remove(merged);
    }
    return merged;
  }

  /** Tells whether what is found at an address does not change while the program runs. */
  boolean isSteady(int number) {
    Form form = form(base(number));
    return form instanceof Initial || form instanceof Fact;
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
