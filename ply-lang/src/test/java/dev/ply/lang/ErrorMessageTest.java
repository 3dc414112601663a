package dev.ply.lang;

import dev.ply.diagnostic.Source;
import dev.ply.golden.GoldenTest;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

class ErrorMessageTest {
  @TestFactory
  Stream<DynamicNode> faultsAreToldInTheseWords() {
    return GoldenTest.in("errors")
        .section("errors", file -> Parsing.rendered(new Source("x.ply", file.text("source"))))
        .tests();
  }
}
