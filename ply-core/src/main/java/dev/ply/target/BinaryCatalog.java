package dev.ply.target;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.UsdtSelector;
import dev.ply.ir.UserSelector;
import java.util.List;

/** The programs and libraries of a machine, and what in them can be probed. */
public interface BinaryCatalog {
  /** No programs: what there is without access to a machine's files. */
  BinaryCatalog NONE =
      new BinaryCatalog() {
        @Override
        public List<UserLocation> locate(UserSelector place) {
          throw new ProbeSiteNotFoundException(
              DiagnosticCode.UNKNOWN_BINARY, "there are no programs and libraries here");
        }

        @Override
        public Selection select(UserSelector.Functions pattern) {
          return new Selection(List.of(), 0);
        }

        @Override
        public List<UsdtProbe> marks(UsdtSelector place) {
          throw new ProbeSiteNotFoundException(
              DiagnosticCode.UNKNOWN_BINARY, "there are no programs and libraries here");
        }
      };

  /**
   * Returns where a place is: once in a file, in a process as often as its files have it.
   *
   * @param place no pattern
   * @throws ProbeSiteNotFoundException if there is no such file, or nothing of that name in it
   * @throws UnreadableTargetException if the file or process may not be read
   */
  List<UserLocation> locate(UserSelector place);

  /**
   * Returns the instruction at which calls of a function are probed at the least cost: its first,
   * or one that every call comes by soon after, and nothing else does, with the same arguments and
   * the same stack.
   *
   * @param entry the function's first instruction
   * @throws UnreadableTargetException if the file may not be read
   */
  default UserLocation cheapest(UserLocation entry) {
    return entry;
  }

  /**
   * Returns the functions that a pattern means; none if there are none.
   *
   * @throws ProbeSiteNotFoundException if there is no such file
   * @throws UnreadableTargetException if the file or process may not be read
   */
  Selection select(UserSelector.Functions pattern);

  /**
   * Returns the places that are marked so.
   *
   * @throws ProbeSiteNotFoundException if there is no such file, or no such mark in it
   * @throws UnreadableTargetException if the file or process may not be read
   */
  List<UsdtProbe> marks(UsdtSelector place);

  /**
   * What a pattern means.
   *
   * @param functions in alphabetical order
   * @param indirect how many more are none but choose one when the program starts
   */
  record Selection(List<UserSelector.Function> functions, int indirect) {
    public Selection {
      functions = List.copyOf(functions);
    }
  }
}
