package dev.ply.kernel;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which packages may use which. */
@Tag("any-java")
final class PackagesTest {
  private static final JavaClasses KERNEL = classes("dev.ply.kernel");

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> location.contains("ply-core"))
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.ply");

  private static JavaClasses classes(String... packages) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .withImportOption(location -> !location.contains("-tests.jar"))
        .importPackages(packages);
  }

  @Test
  void onlyTheSystemCallPackageKnowsJna() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.ply.kernel.sys")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.sun.jna..")
        .check(KERNEL);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.ply.kernel.(*)..").should().beFreeOfCycles().check(KERNEL);
    slices().matching("dev.ply.bpf.(**)").should().beFreeOfCycles().check(classes("dev.ply.bpf"));
    slices().matching("dev.ply.(**)").should().beFreeOfCycles().check(classes("dev.ply.lang"));
    slices().matching("dev.(**)").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void eachFloorUsesTheOnesBelowItOnly() {
    Architectures.layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("errors")
        .definedBy("dev.ply.kernel.error..")
        .layer("syscalls")
        .definedBy("dev.ply.kernel.sys..")
        .layer("loading")
        .definedBy("dev.ply.kernel.load..", "dev.ply.kernel.ring..")
        .layer("facts")
        .definedBy(
            "dev.ply.kernel.feature..",
            "dev.ply.kernel.symbol..",
            "dev.ply.kernel.tracefs..",
            "dev.ply.kernel.elf..",
            "dev.ply.kernel.dwarf..",
            "dev.ply.kernel.untrusted..",
            "dev.ply.kernel.mapping..",
            "dev.ply.kernel.user..",
            "dev.ply.kernel.procfs..",
            "dev.ply.kernel.jit..",
            "dev.ply.kernel.symbolize..",
            "dev.ply.kernel.process..")
        .layer("attaching")
        .definedBy("dev.ply.kernel.attach..")
        .layer("roof")
        .definedBy("dev.ply.kernel")
        .whereLayer("roof")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("attaching")
        .mayOnlyBeAccessedByLayers("roof")
        .whereLayer("facts")
        .mayOnlyBeAccessedByLayers("roof", "attaching")
        .whereLayer("loading")
        .mayOnlyBeAccessedByLayers("roof", "attaching", "facts")
        .check(KERNEL);
  }
}
