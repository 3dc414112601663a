package dev.ply.bpf.isa;

/** The operand of a 64-bit immediate load, by its source field (RFC 9669, section 5.4). */
public sealed interface WideSource {
  /**
   * {@return what a visitor returns for this source}
   *
   * @param visitor of all kinds
   * @param <R> what it returns
   */
  <R> R accept(Visitor<R> visitor);

  /**
   * A function of a source.
   *
   * @param <R> what it returns
   */
  interface Visitor<R> {
    /** {@return the value for a source of this kind} */
    R visit(Constant source);

    /** {@return the value for a source of this kind} */
    R visit(Map source);

    /** {@return the value for a source of this kind} */
    R visit(MapValue source);

    /** {@return the value for a source of this kind} */
    R visit(Variable source);

    /** {@return the value for a source of this kind} */
    R visit(Function source);

    /** {@return the value for a source of this kind} */
    R visit(IndexedMap source);

    /** {@return the value for a source of this kind} */
    R visit(IndexedMapValue source);
  }

  /**
   * A 64-bit constant (0).
   *
   * @param value 64 bits
   */
  record Constant(long value) implements WideSource {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The address of a map, by name (1).
   *
   * @param name of a map of the program's object
   */
  record Map(String name) implements WideSource {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An address in the first value of an array map (2). Needs kernel 5.2.
   *
   * @param name of a map of the program's object
   * @param offset bytes from the start of the value
   */
  record MapValue(String name, int offset) implements WideSource {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The address of a kernel variable, by BTF ID (3). Needs kernel 5.10.
   *
   * @param btfId in vmlinux
   */
  record Variable(int btfId) implements WideSource {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The address of a function in the same program, for callbacks (4). Needs kernel 5.13.
   *
   * @param target the first instruction of the function
   */
  record Function(Label target) implements WideSource {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The address of a map, by index into {@code fd_array} (5). Needs kernel 5.14.
   *
   * @param index counted from 0
   */
  record IndexedMap(int index) implements WideSource {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An address in the first value of an array map, by {@code fd_array} index (6). Since 5.14.
   *
   * @param index counted from 0
   * @param offset bytes from the start of the value
   */
  record IndexedMapValue(int index, int offset) implements WideSource {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }
}
