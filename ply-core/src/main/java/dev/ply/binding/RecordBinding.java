package dev.ply.binding;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A record that is created from the values of a trace. Components that are records themselves are
 * replaced by theirs.
 *
 * @param <R> the record
 */
public final class RecordBinding<R extends Record> {
  private final Class<R> type;
  private final List<Component> components = new ArrayList<>();
  private final List<String> obstacles = new ArrayList<>();
  private final Optional<MethodHandle> constructor;

  private RecordBinding(Class<R> type) {
    this.type = type;
    this.constructor = create(type, "", List.of());
  }

  /** Returns the binding of a record. */
  public static <R extends Record> RecordBinding<R> of(Class<R> type) {
    return new RecordBinding<>(type);
  }

  /**
   * Returns the handle that creates a record from the values of all components, and adds these.
   *
   * @param prefix of the paths of the components
   * @param outer the records around this one: a record in itself takes no values
   */
  private Optional<MethodHandle> create(Class<?> record, String prefix, List<Class<?>> outer) {
    List<Class<?>> around = new ArrayList<>(outer);
    around.add(record);
    Optional<MethodHandle> create = canonical(record);
    int position = 0;
    for (RecordComponent one : record.getRecordComponents()) {
      Class<?> nested = one.getType();
      int before = components.size();
      if (ComponentKind.of(nested) == ComponentKind.RECORD && !around.contains(nested)) {
        Optional<MethodHandle> inner = create(nested, prefix + one.getName() + ".", around);
        int at = position;
        create =
            create.flatMap(all -> inner.map(part -> MethodHandles.collectArguments(all, at, part)));
      } else {
        components.add(new Component(before, prefix + one.getName(), nested));
      }
      position += components.size() - before;
    }
    return create;
  }

  private Optional<MethodHandle> canonical(Class<?> record) {
    Class<?>[] types =
        Arrays.stream(record.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<?> canonical = record.getDeclaredConstructor(types);
      // Records are often private to the class that traces.
      canonical.setAccessible(true);
      return Optional.of(MethodHandles.lookup().unreflectConstructor(canonical));
    } catch (InaccessibleObjectException e) {
      obstacles.add(
          "the constructor of record "
              + record.getSimpleName()
              + " is not accessible: let module "
              + record.getModule().getName()
              + " open package "
              + record.getPackageName()
              + " to dev.ply.core");
      return Optional.empty();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a record has a canonical constructor: " + record, e);
    }
  }

  /** Returns the record. */
  public Class<R> type() {
    return type;
  }

  /** Returns the components that take a value each, in order. */
  public List<Component> components() {
    return List.copyOf(components);
  }

  /** Returns why records cannot be created, as a clause with what to do; empty if they can. */
  public Optional<String> obstacle() {
    return obstacles.stream().findFirst();
  }

  /**
   * Returns the handle that creates a record from a value for each component.
   *
   * @throws IllegalStateException if there is an {@link #obstacle}
   */
  public MethodHandle constructor() {
    return constructor.orElseThrow(
        () -> new IllegalStateException(name() + ": " + obstacle().orElseThrow()));
  }

  /** Returns {@code record Open}. */
  public String name() {
    return "record " + type.getSimpleName();
  }

  /** Returns the paths of the components: {@code (pid, from.address, from.port)}. */
  public String signature() {
    return "(" + String.join(", ", components.stream().map(Component::path).toList()) + ")";
  }
}
