package dev.ply.cli.profile;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * A profile as a store decodes it: each reference has to lead somewhere, and strings are UTF-8.
 *
 * @param series the labels of the series
 * @param types of values, {@code cpu nanoseconds}
 * @param samples what it has
 */
public record ReceivedProfile(
    Map<String, String> series, List<String> types, List<Sample> samples) {
  /** A sample, frames outermost first. */
  public record Sample(List<String> frames, Map<String, String> labels, List<Long> values) {}

  /** Reads the body of a push request. */
  static ReceivedProfile of(byte[] body) throws IOException {
    List<UnknownFieldSet> all = messages(UnknownFieldSet.parseFrom(body), 1);
    if (all.size() != 1) {
      throw new IOException(all.size() + " series");
    }
    Map<String, String> labels = new LinkedHashMap<>();
    for (UnknownFieldSet label : messages(all.get(0), 1)) {
      if (labels.put(text(label, 1), text(label, 2)) != null) {
        throw new IOException("two labels called " + text(label, 1));
      }
    }
    UnknownFieldSet sample = messages(all.get(0), 2).get(0);
    byte[] zipped = sample.getField(1).getLengthDelimitedList().get(0).toByteArray();
    byte[] raw = new GZIPInputStream(new ByteArrayInputStream(zipped)).readAllBytes();
    return pprof(labels, UnknownFieldSet.parseFrom(raw));
  }

  private static ReceivedProfile pprof(Map<String, String> series, UnknownFieldSet profile)
      throws IOException {
    List<String> strings = new ArrayList<>();
    for (ByteString one : profile.getField(6).getLengthDelimitedList()) {
      strings.add(text(one));
    }
    if (!strings.get(0).isEmpty()) {
      throw new IOException("the first string is not empty");
    }
    Map<Long, String> functions = new HashMap<>();
    for (UnknownFieldSet function : messages(profile, 5)) {
      functions.put(number(function, 1), strings.get((int) number(function, 2)));
    }
    Map<Long, String> locations = new HashMap<>();
    for (UnknownFieldSet location : messages(profile, 4)) {
      locations.put(number(location, 1), known(functions, number(messages(location, 4).get(0), 1)));
    }
    List<String> types = new ArrayList<>();
    for (UnknownFieldSet type : messages(profile, 1)) {
      types.add(strings.get((int) number(type, 1)) + " " + strings.get((int) number(type, 2)));
    }
    List<Sample> samples = new ArrayList<>();
    for (UnknownFieldSet sample : messages(profile, 2)) {
      List<String> frames = new ArrayList<>();
      for (long id : packed(sample, 1)) {
        frames.add(0, known(locations, id));
      }
      Map<String, String> labels = new LinkedHashMap<>();
      for (UnknownFieldSet label : messages(sample, 3)) {
        labels.put(strings.get((int) number(label, 1)), strings.get((int) number(label, 2)));
      }
      List<Long> values = packed(sample, 2);
      if (values.size() != types.size()) {
        throw new IOException(values.size() + " values of " + types.size() + " types");
      }
      samples.add(new Sample(frames, labels, values));
    }
    return new ReceivedProfile(series, types, samples);
  }

  private static String known(Map<Long, String> all, long id) throws IOException {
    return Optional.ofNullable(all.get(id)).orElseThrow(() -> new IOException("no id " + id));
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet from, int field)
      throws IOException {
    List<UnknownFieldSet> messages = new ArrayList<>();
    for (ByteString one : from.getField(field).getLengthDelimitedList()) {
      messages.add(UnknownFieldSet.parseFrom(one));
    }
    return messages;
  }

  private static long number(UnknownFieldSet from, int field) {
    List<Long> numbers = from.getField(field).getVarintList();
    return numbers.isEmpty() ? 0 : numbers.get(0);
  }

  private static List<Long> packed(UnknownFieldSet from, int field) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (ByteString one : from.getField(field).getLengthDelimitedList()) {
      var input = one.newCodedInput();
      while (!input.isAtEnd()) {
        numbers.add(input.readInt64());
      }
    }
    return numbers;
  }

  private static String text(UnknownFieldSet from, int field) throws IOException {
    return text(from.getField(field).getLengthDelimitedList().get(0));
  }

  private static String text(ByteString bytes) throws IOException {
    if (!bytes.isValidUtf8()) {
      throw new IOException("not UTF-8");
    }
    return bytes.toStringUtf8();
  }
}
