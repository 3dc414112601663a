package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.StackTables.Sample;
import dev.ply.export.StackProfile;
import dev.ply.export.StackProfiles;
import dev.ply.export.StackProfiles.Limits;
import dev.ply.machine.Architecture;
import dev.ply.metrics.model.LabelText;
import dev.ply.result.Result;
import dev.ply.table.TableSchema.Unit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Profiles of periods add up to the maps, whatever names and limits there are. */
class StackProfilesTest {
  private static final Instant BEGIN = Instant.ofEpochSecond(1_000_000);

  @Provide
  Arbitrary<List<Sample>> counts() {
    return StackTables.samples(1, 1L << 40);
  }

  private static List<StackProfile> profiles(StackProfiles profiles, List<Sample> samples) {
    return profiles.of(
        new Result.Snapshot(
            List.of(StackTables.map("@n", "count", Unit.CALLS, samples)), Result.Occasion.ADDED),
        BEGIN,
        BEGIN.plusSeconds(15));
  }

  @Property(tries = 200)
  void profilesAddUpWithinTheLimits(
      @ForAll("counts") List<Sample> first,
      @ForAll("counts") List<Sample> second,
      @ForAll @IntRange(min = 1, max = 5) int most)
      throws IOException {
    StackProfiles profiles =
        new StackProfiles(
            Stage.target(Architecture.X86_64), new Limits(true, most, Duration.ofHours(1)));
    Set<Map<String, String>> labels = new HashSet<>();
    long total = 0;
    for (List<Sample> samples : List.of(first, second)) {
      for (StackProfile profile : profiles(profiles, samples)) {
        total += profile.total();
        profile.samples().forEach(sample -> labels.add(sample.labels()));
        ProtobufFields pprof =
            ProtobufFields.of(
                new GZIPInputStream(new ByteArrayInputStream(profile.pprof())).readAllBytes());
        assertThat(pprof.messages(2).stream().mapToLong(sample -> sample.packed(2).get(0)).sum())
            .isEqualTo(profile.total());
        assertThat(pprof.number(9)).isEqualTo(1_000_000_000_000_000L);
        assertThat(pprof.number(10)).isEqualTo(15_000_000_000L);
        assertThat(pprof.texts(6)).allMatch(text -> text.chars().noneMatch(c -> c < ' '));
      }
    }
    assertThat(total)
        .isEqualTo(
            first.stream().mapToLong(Sample::number).sum()
                + second.stream().mapToLong(Sample::number).sum());
    assertThat(labels.size()).isLessThanOrEqualTo(most + 1);
    assertThat(labels)
        .allSatisfy(
            one -> assertThat(one.values()).allMatch(value -> value.length() <= LabelText.MOST));
  }

  @Test
  void partsHaveTimesOfTheirOwnAndAllSamples() {
    List<Sample> samples =
        List.of(
            new Sample("a", List.of("f"), 1),
            new Sample("b", List.of("f"), 2),
            new Sample("c", List.of("f"), 4));
    StackProfiles profiles =
        new StackProfiles(
            Stage.target(Architecture.X86_64), new Limits(true, 9, Duration.ofHours(1)));
    List<StackProfile> parts = profiles(profiles, samples).get(0).parts(2);
    assertThat(parts).extracting(StackProfile::total).containsExactly(3L, 4L);
    assertThat(parts).extracting(StackProfile::begin).containsExactly(BEGIN, BEGIN.plusMillis(1));
  }

  @Test
  void combinationsThatAreNotUsedMakeRoom() {
    StackProfiles profiles =
        new StackProfiles(
            Stage.target(Architecture.X86_64), new Limits(true, 1, Duration.ofSeconds(20)));
    Sample one = new Sample("a", List.of("f"), 1);
    Sample other = new Sample("b", List.of("f"), 1);
    assertThat(profiles(profiles, List.of(one)).get(0).samples().get(0).labels())
        .isEqualTo(Map.of("comm", "a"));
    assertThat(profiles(profiles, List.of(other)).get(0).samples().get(0).labels())
        .isEqualTo(Map.of(StackProfiles.OVERFLOW, "true"));
    Result.Snapshot later =
        new Result.Snapshot(
            List.of(StackTables.map("@n", "count", Unit.CALLS, List.of(other))),
            Result.Occasion.ADDED);
    assertThat(
            profiles
                .of(later, BEGIN.plusSeconds(30), BEGIN.plusSeconds(45))
                .get(0)
                .samples()
                .get(0)
                .labels())
        .isEqualTo(Map.of("comm", "b"));
  }
}
