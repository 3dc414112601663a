package dev.ply.target;

import dev.ply.machine.UsdtArgument;
import dev.ply.selector.UsdtSelector;
import java.util.List;

/**
 * One address of a USDT probe, with its arguments.
 *
 * @param place its names and address in the file
 * @param location the instruction to attach to
 * @param arguments in the order of the note
 */
public record UsdtProbe(
    UsdtSelector.Location place, UserLocation location, List<UsdtArgument> arguments) {
  /** Copies the arguments. */
  public UsdtProbe {
    arguments = List.copyOf(arguments);
  }
}
