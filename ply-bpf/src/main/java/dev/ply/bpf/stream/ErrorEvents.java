package dev.ply.bpf.stream;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.EventSite.Failure;
import dev.ply.bpf.object.FailureCause;
import dev.ply.name.Errno;
import dev.ply.result.Result;
import dev.ply.result.RuntimeError;
import dev.ply.result.RuntimeError.HelperResult;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports what fails while programs run. */
public final class ErrorEvents {
  private final BpfObject object;
  private final Machine machine;
  private final ResultStream results;

  /** The number of failures of a site that was last reported. */
  private final Map<Failure, Long> reported = new HashMap<>();

  /** Passes failures on to {@code results}. */
  public ErrorEvents(BpfObject object, Machine machine, ResultStream results) {
    this.object = object;
    this.machine = machine;
    this.results = results;
  }

  /** Reports the failure of a record. */
  public void report(Failure site, ByteBuffer memory, int start) {
    int code = start + site.layout().fields().get(1).offset();
    int count = start + site.layout().fields().get(2).offset();
    report(site, memory.getInt(code), memory.getLong(count));
  }

  /** Reports the failures that have not been reported yet, at the end of the trace. */
  public void finish() {
    readCounters(
        object,
        machine,
        (site, count, code) -> {
          if (count > reported.getOrDefault(site, 0L)) {
            report(site, code, count);
          }
        });
  }

  /** Returns the number of all failures so far. */
  public static long total(BpfObject object, Machine machine) {
    long[] total = {0};
    readCounters(object, machine, (site, count, code) -> total[0] += count);
    return total[0];
  }

  /** Receives how often a site has failed, and with which error number last. */
  @FunctionalInterface
  private interface CounterReader {
    void read(Failure site, long count, int code);
  }

  private static void readCounters(BpfObject object, Machine machine, CounterReader reader) {
    List<Failure> sites =
        object.events().stream()
            .filter(Failure.class::isInstance)
            .map(Failure.class::cast)
            .toList();
    object
        .map(BpfObject.ERRORS)
        .ifPresent(
            map ->
                machine.read(
                    map,
                    (key, values) -> {
                      ByteBuffer counters = values.get(0);
                      for (int i = 0; i < sites.size(); i++) {
                        int counter = i * Failure.COUNTER;
                        int code = (int) counters.getLong(counter + Long.BYTES);
                        reader.read(sites.get(i), counters.getLong(counter), code);
                      }
                    }));
  }

  private void report(Failure site, int code, long count) {
    reported.merge(site, count, Math::max);
    RuntimeError error =
        site.cause() instanceof FailureCause.Call call
            ? new RuntimeError(
                site.span(),
                message(call.helper(), code),
                Optional.of(new HelperResult(call.helper().kernelName(), code)),
                count)
            : new RuntimeError(
                site.span(),
                ((FailureCause.Operation) site.cause()).message(),
                Optional.empty(),
                count);
    results.accept(new Result.Failure(error));
  }

  private static String message(Helper helper, int code) {
    Errno errno = Errno.of(-code);
    boolean isMissing =
        helper == Helper.MAP_LOOKUP_ELEM
            || (helper == Helper.MAP_DELETE_ELEM && errno == Errno.ENOENT);
    if (isMissing) {
      return "nothing is stored under this key";
    }
    return helper == Helper.MAP_UPDATE_ELEM && errno == Errno.E2BIG
        ? "the map is full"
        : Errno.strerror(-code);
  }
}
