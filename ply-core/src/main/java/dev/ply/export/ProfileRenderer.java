package dev.ply.export;

import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.DatumFormat;
import dev.ply.table.ValueFormat;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.util.List;

/** Writes one document of the final maps with stacks in their keys, and nothing else. */
abstract class ProfileRenderer implements Renderer {
  private final Target target;

  ProfileRenderer(Target target) {
    this.target = target;
  }

  @Override
  public ValueFormat conversions() {
    return new DatumFormat(target).raw();
  }

  @Override
  public EventRenderer prepare(EventShape shape, EventValues values) {
    return EventRenderer.NONE;
  }

  @Override
  public boolean shows(Result result) {
    return result instanceof Result.Snapshot snapshot
        && snapshot.occasion() == Result.Occasion.FINAL
        && snapshot.maps().stream().anyMatch(map -> map.schema().isProfile());
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    if (!shows(result) || !(result instanceof Result.Snapshot snapshot)) {
      return false;
    }
    write(out, StackMap.of(snapshot, target));
    return true;
  }

  /** Writes the document of maps, at least one. */
  abstract void write(TextBuffer out, List<StackMap> maps);
}
