package dev.ply.bpf.vm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The translator where the library that it needs is missing. */
class MissingLibraryTest {
  /** Has all classes of the virtual machine, but none of ASM. */
  private static final class WithoutAsm extends ClassLoader {
    WithoutAsm() {
      super(MissingLibraryTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.objectweb.asm.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("dev.ply.bpf.vm.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Translates a program when it is run, in the other loader. */
  public static final class Translation implements Runnable {
    /** Is created by reflection. */
    public Translation() {}

    @Override
    public void run() {
      VmOptions options = VmOptions.DEFAULT.withEngine(Engine.TRANSLATOR);
      new VirtualMachine(List.of(), 1, options).prepare(Code.program(0, Code.exit()));
    }
  }

  @Test
  void theTranslatorNamesTheLibraryThatItNeeds() throws ReflectiveOperationException {
    Class<?> type = Class.forName(Translation.class.getName(), true, new WithoutAsm());
    Runnable translation = (Runnable) type.getDeclaredConstructor().newInstance();
    assertThatThrownBy(translation::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Engine.TRANSLATOR needs org.ow2.asm:asm on the class path, or the module"
                + " org.objectweb.asm");
  }
}
