package dev.ply.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.export.StackProfiles;
import dev.ply.lang.PlyScript;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store receives, and what becomes of what it does not take. */
@Timeout(60)
class ProfilePusherTest {
  private static final StackProfiles.Limits LIMITS =
      new StackProfiles.Limits(false, 3, Duration.ofHours(1));

  /** A thread that sends by itself would do so after the test. */
  private static final Duration NEVER = Duration.ofHours(1);

  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new Output(new ByteArrayOutputStream()),
          new ErrorStream(messages),
          Set.of(Console.Remark.values()),
          Terminal.NONE);

  private String messages() {
    return messages.toString(StandardCharsets.UTF_8);
  }

  /** A trace whose updates a test sends when it wants. */
  private final class Trace implements AutoCloseable {
    private final SimulatedTracer tracer = SimulatedTracer.create();
    private final Session session;
    private final ProfilePusher pusher;

    Trace(String script, ProfileStore store) throws UsageException {
      session = tracer.start(PlyScript.parse(script));
      pusher = ProfilePusher.of(store, console, NEVER);
      Set<String> maps =
          session.schemas().stream()
              .filter(StackProfiles::isPushed)
              .map(schema -> schema.map())
              .collect(Collectors.toSet());
      pusher.start(session, maps, new StackProfiles(SimulatedTarget.create(), LIMITS));
    }

    void fire(String comm, long argument, Long... stack) {
      tracer.fire(Firing.kprobe("vfs_read").comm(comm).arg(2, argument).stack(stack));
    }

    @Override
    public void close() {
      pusher.close();
      session.close();
      tracer.close();
    }
  }

  private static ProfileStore pyroscope(String url, Map<String, String> environment)
      throws UsageException {
    return PyroscopeStore.at(url, environment).of(Optional.of("reads"));
  }

  private static long total(List<ReceivedProfile> profiles, Predicate<ReceivedProfile> of) {
    return profiles.stream()
        .filter(of)
        .flatMap(profile -> profile.samples().stream())
        .mapToLong(sample -> sample.values().get(sample.values().size() - 1))
        .sum();
  }

  @Test
  void whatIsPushedAddsUpToTheMaps() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        Trace trace =
            new Trace(
                "kprobe:vfs_read { @n[stack, comm, pid] = count(); @b[stack] = sum(arg2);"
                    + " @q[stack] = quantize(arg2); @m[stack] = max(arg2); @c[comm] = count(); }",
                pyroscope(store.url(), Map.of("PYROSCOPE_LABELS", "zone=a-1")))) {
      trace.fire("cat", 7, 1L, 2L);
      trace.fire("dog", 8, 1L, 2L);
      trace.pusher.push();
      trace.fire("cat", 9, 1L, 2L);
      trace.fire("cat", 10, 3L);
      trace.pusher.push();
      trace.pusher.push();
      trace.fire("cow", 11, 3L);
      trace.fire("elk", 12, 3L);
      trace.pusher.end();
      List<ReceivedProfile> profiles = store.profiles();
      assertThat(profiles).extracting(one -> one.series().get("map")).doesNotContain("@m", "@c");
      assertThat(total(profiles, one -> one.series().containsValue("@n"))).isEqualTo(6);
      assertThat(total(profiles, one -> one.series().containsValue("@b"))).isEqualTo(57);
      assertThat(total(profiles, one -> one.series().containsValue("@q"))).isEqualTo(6);
      assertThat(
              profiles.stream()
                  .filter(one -> one.series().containsValue("@n"))
                  .flatMap(one -> one.samples().stream())
                  .map(sample -> sample.labels() + "=" + sample.values()))
          .containsExactlyInAnyOrder(
              "{comm=cat}=[1]",
              "{comm=dog}=[1]",
              "{comm=cat}=[1]",
              "{comm=cat}=[1]",
              "{comm=cow}=[1]",
              "{overflow=true}=[1]");
      Map<String, String> series = new HashMap<>(profiles.get(0).series());
      assertThat(series.remove("host")).isNotEmpty();
      String map = Objects.requireNonNull(series.get("map"));
      assertThat(series)
          .isEqualTo(
              Map.of(
                  "__name__", "ply_reads_" + map.substring(1),
                  "__delta__", "false",
                  "service_name", "ply",
                  "map", map,
                  "script", "reads",
                  "zone", "a-1"));
      assertThat(store.paths()).containsOnly("/push.v1.PusherService/Push");
      assertThat(store.lastHeaders().getFirst("Content-type")).isEqualTo("application/proto");
      assertThat(messages()).isEmpty();
    }
  }

  @Test
  void parcaHasTheSameNumbers() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        Trace trace =
            new Trace(
                "kprobe:vfs_read { @n[stack, comm] = count(); @b[stack] = sum(arg2); }",
                ParcaStore.at(
                        store.url(),
                        Map.of(
                            "PARCA_LABELS", "zone=a-1,service_name=me",
                            "PARCA_BEARER_TOKEN", "t0ken"))
                    .of(Optional.of("reads")))) {
      trace.fire("cat", 7, 1L, 2L);
      trace.pusher.push();
      trace.fire("c\u001bt\"", 8, 1L, 2L);
      trace.pusher.end();
      List<ReceivedProfile> profiles = store.profiles();
      assertThat(total(profiles, one -> one.series().containsValue("@n"))).isEqualTo(2);
      assertThat(total(profiles, one -> one.series().containsValue("@b"))).isEqualTo(15);
      assertThat(profiles)
          .flatExtracting(ReceivedProfile::samples)
          .extracting(sample -> sample.labels().getOrDefault("comm", ""))
          .contains("cat", "c\\x1bt\"");
      Map<String, String> series = new HashMap<>(profiles.get(0).series());
      assertThat(series.remove("host")).isNotEmpty();
      String map = Objects.requireNonNull(series.get("map"));
      assertThat(series)
          .isEqualTo(
              Map.of(
                  "__name__", "ply_reads_" + map.substring(1),
                  "service_name", "me",
                  "map", map,
                  "script", "reads",
                  "zone", "a-1"));
      assertThat(store.paths()).containsOnly("/api/profiles/writeraw");
      assertThat(store.lastHeaders().getFirst("Content-type")).isEqualTo("application/json");
      assertThat(store.lastHeaders().getFirst("Authorization")).isEqualTo("Bearer t0ken");
      assertThat(messages()).isEmpty();
    }
  }

  @Test
  void hostileNamesAreValidLabels() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        Trace trace =
            new Trace(
                "kprobe:vfs_read { @n[stack, comm] = count(); }",
                pyroscope(store.url(), Map.of("PYROSCOPE_APPLICATION_NAME", "a\nb")))) {
      for (String comm : List.of("\u001b[2J\"\\", "\u00ff\u00fe{=},", "__name__")) {
        trace.fire(comm, 1, 1L);
      }
      trace.pusher.end();
      ReceivedProfile profile = store.profiles().get(0);
      assertThat(profile.series()).containsEntry("service_name", "a\\nb");
      assertThat(profile.samples())
          .allSatisfy(
              sample ->
                  assertThat(sample.labels().get("comm"))
                      .matches(comm -> comm.chars().noneMatch(Character::isISOControl)));
      assertThat(total(store.profiles(), one -> true)).isEqualTo(3);
    }
  }

  /** The numbers of each interval arrive once the store answers again, in order. */
  @Test
  void whatAStoreDoesNotTakeWaits() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        Trace trace =
            new Trace(
                "kprobe:vfs_read { @n[stack] = count(); }", pyroscope(store.url(), Map.of()))) {
      store.answer(503, "\u001b[31mbusy");
      for (int i = 0; i < 3; i++) {
        trace.fire("cat", 1, 1L);
        trace.pusher.push();
      }
      // A request, and no other for an interval.
      assertThat(store.paths()).hasSize(1);
      store.answer(200, "");
      trace.pusher.end();
      assertThat(store.bodies()).hasSize(3);
      assertThat(total(store.profiles(), one -> true)).isEqualTo(3);
      assertThat(messages())
          .isEqualToIgnoringNewLines(
              "warning: profiles cannot be sent to "
                  + store.url()
                  + "/push.v1.PusherService/Push: status 503: \\x1b[31mbusy; they wait"
                  + "profiles are sent to "
                  + store.url()
                  + "/push.v1.PusherService/Push again");
    }
  }

  @Test
  void whatAStoreRefusesIsCounted() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        Trace trace =
            new Trace(
                "kprobe:vfs_read { @n[stack] = count(); }", pyroscope(store.url(), Map.of()))) {
      store.answer(400, "out of order");
      trace.fire("cat", 1, 1L);
      trace.pusher.push();
      store.answer(200, "");
      trace.fire("cat", 1, 1L);
      trace.pusher.end();
      assertThat(total(store.profiles(), one -> true)).isEqualTo(1);
      assertThat(messages())
          .contains("refuses a profile, which is dropped: status 400: out of order")
          .contains("profiles that were not sent to")
          .contains(": 1; their stacks are missing there");
    }
  }

  @Test
  void redirectsAreNotFollowed() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        Trace trace =
            new Trace(
                "kprobe:vfs_read { @n[stack] = count(); }", pyroscope(store.url(), Map.of()))) {
      store.answer(307, "");
      trace.fire("cat", 1, 1L);
      trace.pusher.push();
      assertThat(store.paths()).hasSize(1);
      assertThat(messages())
          .contains("it redirects to " + store.url() + "/elsewhere, which is not followed");
    }
  }

  /** The end does not wait for a store that never answers. */
  @Test
  void aStoreThatDoesNotAnswerIsLeft() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        Trace trace =
            new Trace(
                "kprobe:vfs_read { @n[stack] = count(); }",
                OtlpStore.at(store.url(), Map.of("OTEL_EXPORTER_OTLP_TIMEOUT", "50"))
                    .of(Optional.empty()))) {
      store.answer(0, "");
      trace.fire("cat", 1, 1L);
      trace.pusher.push();
      trace.pusher.end();
      assertThat(messages())
          .contains("v1development/profiles: no answer within 50 ms; they wait")
          .contains("profiles that were not sent to");
    }
  }

  @Test
  void aDeadEndpointCostsALimitedAmountOfMemory() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    ProfileStore store = pyroscope("http://127.0.0.1:" + port, Map.of());
    PushQueue queue = new PushQueue(store, new HttpSender(store), console, 10_000);
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session =
            tracer.start(PlyScript.parse("kprobe:vfs_read { @n[stack] = count(); }"))) {
      StackProfiles profiles = new StackProfiles(SimulatedTarget.create(), LIMITS);
      var added = session.added();
      for (int i = 0; i < 100; i++) {
        tracer.fire(Firing.kprobe("vfs_read").stack(1L, 2L, 3L));
        queue.add(profiles.of(added.get(), Instant.EPOCH, Instant.EPOCH.plusSeconds(1)));
        assertThat(queue.bytes()).isBetween(1L, 10_000L);
      }
    }
    assertThat(queue.send(System.nanoTime() + NEVER.toNanos())).isFalse();
    queue.end();
    assertThat(messages()).contains("the oldest are dropped", "connection refused; they wait");
    assertThat(messages()).contains(": 100; their stacks are missing there").hasLineCount(3);
  }

  @Test
  void otlpHasTheSameNumbers() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        Trace trace =
            new Trace(
                "kprobe:vfs_read { @b[stack, comm] = stats(arg2); }",
                OtlpStore.at(store.url(), Map.of("OTEL_SERVICE_NAME", "me"))
                    .of(Optional.of("reads")))) {
      trace.fire("cat", 7, 1L, 2L);
      trace.fire("c\u001bt", 8, 1L, 2L);
      trace.fire("cat", 9, 1L);
      trace.pusher.end();
      assertThat(store.paths()).containsOnly("/v1development/profiles");
      assertThat(store.lastHeaders().getFirst("Content-type")).isEqualTo("application/x-protobuf");
      ExportProfilesServiceRequest request =
          ExportProfilesServiceRequest.parseFrom(store.bodies().get(0));
      assertThat(request.getUnknownFields().asMap()).isEmpty();
      ProfilesDictionary tables = request.getDictionary();
      assertThat(tables.getStringTable(0)).isEmpty();
      assertThat(tables.getStackTable(0).getLocationIndicesCount()).isZero();
      var resource = request.getResourceProfiles(0);
      assertThat(resource.getResource().getAttributesList())
          .extracting(one -> one.getKey() + "=" + one.getValue().getStringValue())
          .contains("service.name=me", "ply.script=reads");
      List<Profile> profiles = resource.getScopeProfiles(0).getProfilesList();
      assertThat(profiles)
          .extracting(one -> tables.getStringTable(one.getSampleType().getTypeStrindex()))
          .containsExactly("count", "total");
      Profile totals = profiles.get(1);
      Map<String, Long> bySample =
          totals.getSamplesList().stream()
              .collect(
                  Collectors.toMap(
                      sample ->
                          sample.getAttributeIndicesList().stream()
                                  .map(
                                      index ->
                                          tables
                                              .getAttributeTable(index)
                                              .getValue()
                                              .getStringValue())
                                  .toList()
                              + " "
                              + tables
                                  .getStackTable(sample.getStackIndex())
                                  .getLocationIndicesCount(),
                      sample -> sample.getValues(0)));
      assertThat(bySample).isEqualTo(Map.of("[cat] 2", 7L, "[c\\x1bt] 2", 8L, "[cat] 1", 9L));
      assertThat(totals.getDurationNano()).isPositive();
      assertThat(totals.getProfileId().size()).isEqualTo(16);
    }
  }
}
