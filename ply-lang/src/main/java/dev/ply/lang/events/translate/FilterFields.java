package dev.ply.lang.events.translate;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.lang.events.translate.EventField.FilterValue;
import java.util.List;
import java.util.Optional;

/** The fields that a filter compares. */
interface FilterFields {
  /**
   * Returns the value of a field, if there is one; one that cannot be compared is an error.
   *
   * @param isUser whether the filter has it as an address of a string in user space
   */
  Optional<FilterValue> find(String name, boolean isUser, SourceSpan span) throws Reported;

  /** Returns the names of the fields. */
  List<String> names();
}
