package dev.ply.export;

import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/**
 * What was added to a map keyed by stacks within a period, as stores of profiles take it.
 * Immutable.
 *
 * @param map its name as the script writes it
 * @param values what each sample counts, at least one
 * @param interval the CPU time that a sample stands for, if a timer takes them
 * @param begin of the period
 * @param time its length
 * @param samples no two with the same frames and labels
 */
public record StackProfile(
    String map,
    List<ValueType> values,
    Optional<Duration> interval,
    Instant begin,
    Duration time,
    List<Sample> samples) {
  /**
   * A value of a sample.
   *
   * @param type what is counted: {@code cpu}, {@code count}, {@code space}
   * @param unit as pprof names it: {@code nanoseconds}, {@code bytes}, {@code count}; empty for a
   *     number of which nothing is known
   */
  public record ValueType(String type, String unit) {}

  /**
   * The values of a stack.
   *
   * @param frames outermost first, without other parts of the key
   * @param labels the other parts of the key: names of letters, digits and underscores, values
   *     without control characters
   * @param values in the order of the profile's
   */
  public record Sample(List<ProfileFrame> frames, Map<String, String> labels, List<Long> values) {}

  /** Copies the lists. */
  public StackProfile {
    values = List.copyOf(values);
    samples = List.copyOf(samples);
  }

  /**
   * {@return this profile in parts of a limited size, whose times differ by a millisecond: a store
   * takes two profiles of one time for the same}
   *
   * @param most samples in a part, at least 1
   */
  public List<StackProfile> parts(int most) {
    List<StackProfile> parts = new ArrayList<>();
    for (int i = 0; i < samples.size(); i += most) {
      parts.add(
          new StackProfile(
              map,
              values,
              interval,
              begin.plusMillis(parts.size()),
              time,
              samples.subList(i, Math.min(samples.size(), i + most))));
    }
    return parts;
  }

  /** {@return the sum of the first value of all samples} */
  public long total() {
    return samples.stream().mapToLong(sample -> sample.values().get(0)).sum();
  }

  /** {@return the profile in pprof's format, compressed by gzip} */
  public byte[] pprof() {
    return pprof(writer -> interval.ifPresent(writer::period));
  }

  private byte[] pprof(Consumer<PprofWriter> period) {
    TextBuffer raw = new TextBuffer();
    PprofWriter writer = new PprofWriter(raw);
    values.forEach(writer::value);
    for (Sample sample : samples) {
      writer.sample(
          sample.frames(), numbers(sample), message -> writer.labels(message, sample.labels()));
    }
    writer.time(begin, time);
    period.accept(writer);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream compressed = new GZIPOutputStream(bytes)) {
      raw.writeTo(compressed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static long[] numbers(Sample sample) {
    return sample.values().stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * {@return profiles as a request to an OpenTelemetry collector, {@code
   * ExportProfilesServiceRequest} of the development signal in opentelemetry-proto 1.11}
   *
   * @param resource attributes of what sends them: {@code service.name}, {@code host.name}
   */
  public byte[] otlp(Map<String, String> resource) {
    return new OtlpProfileWriter().request(this, resource);
  }

  /**
   * {@return profiles as a request to Pyroscope, {@code push.v1.PushRequest}}
   *
   * @param labels of the series: {@code __name__}, {@code service_name} and others
   * @param id of the profile, no other has
   */
  public byte[] pyroscope(Map<String, String> labels, String id) {
    ProtobufWriter series = new ProtobufWriter();
    labels.forEach(
        (name, value) -> series.message(1, new ProtobufWriter().text(1, name).text(2, value)));
    series.message(2, new ProtobufWriter().bytes(1, pprof()).text(2, id));
    return new ProtobufWriter().message(1, series).toBytes();
  }

  /**
   * {@return a request that sends profiles to Parca: {@code WriteRawRequest} of {@code
   * parca.profilestore.v1alpha1}, in JSON}
   *
   * @param labels of the series: {@code __name__} and others
   */
  public byte[] parca(Map<String, String> labels) {
    // Parca's server fails at a profile without a period.
    byte[] pprof =
        pprof(
            writer -> {
              if (interval.isPresent()) {
                writer.period(interval.get());
              } else {
                writer.period(values.get(0), 1);
              }
            });
    TextBuffer json = new TextBuffer().append("{\"series\":[{\"labels\":{\"labels\":[");
    String separator = "";
    for (Map.Entry<String, String> label : labels.entrySet()) {
      json.append(separator).append("{\"name\":");
      JsonString.append(json, label.getKey());
      json.append(",\"value\":");
      JsonString.append(json, label.getValue());
      json.append("}");
      separator = ",";
    }
    return json.append("]},\"samples\":[{\"rawProfile\":\"")
        .append(Base64.getEncoder().encode(pprof))
        .append("\"}]}]}")
        .cut(0);
  }
}
