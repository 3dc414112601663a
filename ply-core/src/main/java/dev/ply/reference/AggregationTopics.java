package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.AGGREGATION;

import com.google.common.collect.ImmutableList;
import dev.ply.target.KernelVersion;
import java.util.List;

/** What a map can collect. */
final class AggregationTopics {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  static final ImmutableList<Topic> ALL =
      ImmutableList.of(
          new Topic(
              AGGREGATION,
              List.of("count"),
              List.of("@name[key, …] = count();"),
              "u64",
              """
              How often it was done.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { @ = count(); }
              """),
          new Topic(
              AGGREGATION,
              List.of("sum"),
              List.of("@name[key, …] = sum(value);"),
              "u64 or s64",
              """
              The sum of the values.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read / data->ret > 0 / { @[comm] = sum(data->ret); }
              """),
          new Topic(
              AGGREGATION,
              List.of("quantize"),
              List.of("@name[key, …] = quantize(value);"),
              "histogram",
              """
              How many values there were between powers of two, printed with a bar for each range;
              negative ones are counted as < 0. Labels take the unit of the value.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read { @[comm] = quantize(data->ret); }
              """));

  private AggregationTopics() {}
}
