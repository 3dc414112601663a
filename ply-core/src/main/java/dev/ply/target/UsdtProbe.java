package dev.ply.target;

import dev.ply.ir.UsdtSelector;
import java.util.List;

/** One address of a USDT probe, with its arguments. */
public record UsdtProbe(
    UsdtSelector.Location place, UserLocation location, List<UsdtArgument> arguments) {
  public UsdtProbe {
    arguments = List.copyOf(arguments);
  }
}
