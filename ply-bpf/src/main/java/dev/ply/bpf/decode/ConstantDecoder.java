package dev.ply.bpf.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;

/**
 * A decoder whose method handle is a constant of its class, so that the JIT compiler inlines it: a
 * record that its listener does not keep is then not allocated. Defined once for each handle, as a
 * hidden class; the class itself is only the template.
 */
final class ConstantDecoder implements EventDecoder {
  private static final String TEMPLATE = "ConstantDecoder.class";
  private static final MethodHandle HANDLE = handle();

  /** For the hidden classes. */
  ConstantDecoder() {}

  private static MethodHandle handle() {
    try {
      return MethodHandles.classData(
          MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, MethodHandle.class);
    } catch (IllegalAccessException e) {
      throw new LinkageError("a class cannot read its own data", e);
    }
  }

  /** Returns a decoder that calls a handle of type {@code (ByteBuffer, int)Record}. */
  static EventDecoder of(MethodHandle handle) {
    try (InputStream template = ConstantDecoder.class.getResourceAsStream(TEMPLATE)) {
      if (template == null) {
        throw new LinkageError("there is no " + TEMPLATE);
      }
      return (EventDecoder)
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(template.readAllBytes(), handle, true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a decoder is not instantiated", e);
    }
  }

  @Override
  public Record decode(ByteBuffer memory, int start) {
    try {
      return (Record) HANDLE.invokeExact(memory, start);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a constructor of a record threw a checked exception", e);
    }
  }
}
