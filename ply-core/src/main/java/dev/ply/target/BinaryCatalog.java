package dev.ply.target;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.UsdtSelector;
import dev.ply.ir.UserSelector;
import java.util.List;
import java.util.OptionalLong;

/** The programs and libraries of a machine, and their probe sites. */
public interface BinaryCatalog {
  /** No programs, for targets without access to files. */
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
   * Returns the locations of a probe: one for a file, one per mapped file for a process.
   *
   * @param place no pattern
   * @throws ProbeSiteNotFoundException if the file or symbol does not exist
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  List<UserLocation> locate(UserSelector place);

  /**
   * Returns the address of code in an ELF file, independent of where it is loaded; empty if there
   * is no code at that offset.
   *
   * @param binary as in a {@link UserSelector}
   * @param offset bytes from the file's start
   * @throws ProbeSiteNotFoundException if the file does not exist
   * @throws UnreadableTargetException if the file cannot be read
   */
  default OptionalLong address(String binary, long offset) {
    return OptionalLong.of(offset);
  }

  /**
   * Returns the cheapest instruction at which to probe a function's calls: its first, or a later
   * one that every call and no jump reaches, with the same arguments and stack.
   *
   * @param entry the function's first instruction
   * @throws UnreadableTargetException if the file cannot be read
   */
  default UserLocation cheapest(UserLocation entry) {
    return entry;
  }

  /**
   * Returns the functions that match a pattern.
   *
   * @throws ProbeSiteNotFoundException if the file does not exist
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  Selection select(UserSelector.Functions pattern);

  /**
   * Returns the USDT probes that match.
   *
   * @throws ProbeSiteNotFoundException if the file does not exist, or has no such USDT probe
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  List<UsdtProbe> marks(UsdtSelector place);

  /**
   * The functions that match a pattern.
   *
   * @param functions in alphabetical order
   * @param indirect how many matches are indirect functions (IFUNC), which cannot be probed
   */
  record Selection(List<UserSelector.Function> functions, int indirect) {
    public Selection {
      functions = List.copyOf(functions);
    }
  }
}
