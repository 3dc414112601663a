package dev.ply.value;

import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.SymbolBuiltins;

/** Symbols of the kernel and of programs. Meant for static import, beside {@link Values}. */
public final class SymbolValues {
  private SymbolValues() {}

  /**
   * {@return 1 if the kernel has a function of this name, by its types, else 0: a constant}
   *
   * @param name of a function, a kfunc say
   */
  public static Value kernelFunctionExists(String name) {
    return Value.call(SymbolBuiltins.KFUNC_EXIST, Values.text(name));
  }

  /**
   * {@return the address of a kernel symbol, a function or variable whose name is unique}
   *
   * @param name of a function or variable of the kernel
   */
  public static Value kaddr(String name) {
    return Value.call(SymbolBuiltins.KADDR, Values.text(name));
  }

  /**
   * {@return where the process has a function or variable of the probed program or library}
   *
   * @param name of a function or variable of the probed file
   */
  public static Value uaddr(String name) {
    return Value.call(SymbolBuiltins.UADDR, Values.text(name));
  }

  /**
   * {@return a kernel address, printed as symbol and offset}
   *
   * @param address in the memory of the kernel
   */
  public static Value ksym(Value address) {
    return Value.call(SymbolBuiltins.KSYM, address);
  }

  /**
   * {@return the address of the current CPU's copy of a per-CPU variable of the kernel}
   *
   * @param name of the variable
   */
  public static Value percpuKaddr(String name) {
    return Value.call(SymbolBuiltins.PERCPU_KADDR, Values.text(name));
  }

  /**
   * {@return the address of a CPU's copy of a per-CPU variable of the kernel, 0 for a CPU that the
   * machine cannot have}
   *
   * @param name of the variable
   * @param cpu its number, from 0
   */
  public static Value percpuKaddr(String name, Value cpu) {
    return Value.call(SymbolBuiltins.PERCPU_KADDR, Values.text(name), cpu);
  }

  /**
   * {@return an address of the current process, printed as symbol and offset}
   *
   * @param address in the memory of the current process
   */
  public static Value usym(Value address) {
    return Value.call(SymbolBuiltins.USYM, address);
  }
}
