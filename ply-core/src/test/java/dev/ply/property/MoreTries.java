package dev.ply.property;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Tries each property {@code -Dproperty.factor=N} times as often as it says, so that a short build
 * and a long night differ in one number.
 */
public final class MoreTries implements AroundPropertyHook {
  private static final int FACTOR = Integer.getInteger("property.factor", 1);

  /** What jqwik does where a property says nothing. */
  private static final int USUALLY = 1000;

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    PropertyAttributes attributes = context.attributes();
    attributes.setTries(FACTOR * attributes.tries().orElse(USUALLY));
    return property.execute();
  }
}
