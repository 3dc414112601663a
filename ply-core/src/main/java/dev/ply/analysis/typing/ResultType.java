package dev.ply.analysis.typing;

import dev.ply.analysis.struct.NamedType;
import dev.ply.ir.TypeName;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.UserProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import dev.ply.type.Enumerators;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import java.util.Optional;

/**
 * The types of what kretprobes and uretprobes find in the register of the result. A number is
 * narrower than that, and the rest of the register has anything. Results other than numbers, and
 * unknown ones, are the register.
 */
public final class ResultType {
  private final Target target;

  public ResultType(Target target) {
    this.target = target;
  }

  /** Returns the type of the register as a whole. */
  IntType register() {
    return IntType.of(target.architecture().wordSize(), Signedness.SIGNED);
  }

  /** Returns the type of the result at a probe site; empty if it is unknown. */
  Optional<Type> of(AttachPoint point) {
    boolean isOneOfSeveral =
        point instanceof KernelProbe.Kretprobe kretprobe
            && kretprobe.function().filter(this::isAmbiguous).isPresent();
    return isOneOfSeveral ? Optional.empty() : known(point).map(type -> type);
  }

  /** BTF has one function of a name, and symbols may have several. */
  private boolean isAmbiguous(KernelSelector.Function function) {
    return function.module().isEmpty() && target.symbols().named(function.name()).size() > 1;
  }

  /**
   * Returns what functions of the same type have in common. A pattern selects none whose name
   * others have.
   */
  public Object ofUnique(AttachPoint point) {
    return known(point);
  }

  /**
   * Returns whether the declared type has this name, {@code ssize_t}. Types of the kernel's
   * functions have the names of their declarations.
   */
  public boolean isNamed(AttachPoint point, String name) {
    if (point instanceof KernelProbe.Kretprobe kretprobe) {
      return kretprobe
          .function()
          .filter(function -> !isAmbiguous(function))
          .flatMap(function -> target.types().function(function).map(target.types()::declarations))
          .filter(all -> all.get(all.size() - 1).equals(name))
          .isPresent();
    }
    return userResult(point).equals(Optional.of(new TypeName(name, 0)));
  }

  private Optional<IntType> known(AttachPoint point) {
    return declared(point)
        .flatMap(this::inRegister)
        .filter(type -> type.bytes() <= target.architecture().wordSize());
  }

  /** Returns whether the result is known to be a floating-point number. */
  public boolean isElsewhere(AttachPoint point) {
    return point instanceof UserProbe.Uretprobe
        && declared(point).filter(ArrayType.class::isInstance).isPresent();
  }

  private Optional<Type> declared(AttachPoint point) {
    if (point instanceof KernelProbe.Kretprobe kretprobe) {
      return kretprobe
          .function()
          .flatMap(function -> target.types().function(function))
          .map(function -> function.result());
    }
    return userResult(point).flatMap(new NamedType(target)::find);
  }

  private Optional<TypeName> userResult(AttachPoint point) {
    try {
      return point instanceof UserProbe.Uretprobe uretprobe
              && !(uretprobe.place() instanceof UserSelector.Pattern)
          ? target.binaries().result(uretprobe.place())
          : Optional.empty();
    } catch (ProbeSiteNotFoundException | UnreadableTargetException e) {
      // A missing function has been reported; what cannot be read tells no types.
      return Optional.empty();
    }
  }

  /**
   * Names of an enumeration's values are left out: the functions of a pattern have different ones.
   * Addresses stay signed, since a negative one is an error in the kernel.
   */
  private Optional<IntType> inRegister(Type type) {
    if (type instanceof PointerType) {
      return Optional.of(register().printedAs(IntFormat.HEX));
    }
    return type instanceof IntType integer
        ? Optional.of(integer.named(Enumerators.NONE))
        : Optional.empty();
  }
}
