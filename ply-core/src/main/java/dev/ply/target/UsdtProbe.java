package dev.ply.target;

import dev.ply.ir.UsdtSelector;
import java.util.List;

/** A place that is marked in a program, and what is to be seen there. */
public record UsdtProbe(
    UsdtSelector.Location place, UserLocation location, List<UsdtArgument> arguments) {
  public UsdtProbe {
    arguments = List.copyOf(arguments);
  }
}
