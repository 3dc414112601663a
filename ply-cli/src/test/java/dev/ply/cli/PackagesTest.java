package dev.ply.cli;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which packages of the command may use which. */
@Tag("any-java")
final class PackagesTest {
  private static final JavaClasses COMMAND =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.ply.cli");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.ply.(**)").should().beFreeOfCycles().check(COMMAND);
  }

  @Test
  void frontEndsDoNotKnowEachOther() {
    Architectures.layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("entry")
        .definedBy("dev.ply.cli")
        .layer("bpftrace")
        .definedBy("dev.ply.cli.bpftrace..")
        .layer("bcc")
        .definedBy("dev.ply.cli.bcc..")
        .layer("events")
        .definedBy("dev.ply.cli.events..")
        .layer("running")
        .definedBy(
            "dev.ply.cli.run..",
            "dev.ply.cli.option..",
            "dev.ply.cli.info..",
            "dev.ply.cli.completion..")
        .layer("streams")
        .definedBy("dev.ply.cli.io..", "dev.ply.cli.input..", "dev.ply.cli.manual..")
        .whereLayer("bpftrace")
        .mayOnlyBeAccessedByLayers("entry")
        .whereLayer("bcc")
        .mayOnlyBeAccessedByLayers("entry")
        .whereLayer("events")
        .mayOnlyBeAccessedByLayers("entry")
        .whereLayer("running")
        .mayOnlyBeAccessedByLayers("entry", "bpftrace", "bcc", "events")
        .check(COMMAND);
  }
}
