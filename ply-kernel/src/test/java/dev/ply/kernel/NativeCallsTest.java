package dev.ply.kernel;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class NativeCallsTest {
  @Test
  void onlyTheSystemCallPackageKnowsJna() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.ply.kernel.sys")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.sun.jna..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.ply.kernel"));
  }
}
