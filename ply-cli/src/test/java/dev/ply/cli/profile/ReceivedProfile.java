package dev.ply.cli.profile;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
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

  /** Reads the body of a request, as Pyroscope or, if it is JSON, as Parca. */
  static ReceivedProfile of(byte[] body) throws IOException {
    return body[0] == '{' ? ofParca(body) : ofPyroscope(body);
  }

  private static ReceivedProfile ofParca(byte[] body) throws IOException {
    JsonArray all =
        JsonParser.parseString(new String(body, StandardCharsets.UTF_8))
            .getAsJsonObject()
            .getAsJsonArray("series");
    if (all.size() != 1) {
      throw new IOException(all.size() + " series");
    }
    JsonObject series = all.get(0).getAsJsonObject();
    Map<String, String> labels = new LinkedHashMap<>();
    for (JsonElement one : series.getAsJsonObject("labels").getAsJsonArray("labels")) {
      String name = one.getAsJsonObject().get("name").getAsString();
      if (!name.matches("[a-zA-Z_][a-zA-Z0-9_]*")
          || labels.put(name, one.getAsJsonObject().get("value").getAsString()) != null) {
        throw new IOException("label " + name);
      }
    }
    JsonObject sample = series.getAsJsonArray("samples").get(0).getAsJsonObject();
    UnknownFieldSet profile =
        unzipped(Base64.getDecoder().decode(sample.get("rawProfile").getAsString()));
    if (messages(profile, 11).isEmpty()) {
      throw new IOException("no period");
    }
    for (int table : List.of(3, 4, 5)) {
      List<UnknownFieldSet> entries = messages(profile, table);
      for (int i = 0; i < entries.size(); i++) {
        if (number(entries.get(i), 1) != i + 1) {
          throw new IOException("ids are not sequential");
        }
      }
    }
    return pprof(labels, profile);
  }

  private static ReceivedProfile ofPyroscope(byte[] body) throws IOException {
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
    return pprof(labels, unzipped(zipped));
  }

  private static UnknownFieldSet unzipped(byte[] zipped) throws IOException {
    return UnknownFieldSet.parseFrom(
        new GZIPInputStream(new ByteArrayInputStream(zipped)).readAllBytes());
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
