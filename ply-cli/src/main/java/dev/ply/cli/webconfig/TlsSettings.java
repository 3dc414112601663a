package dev.ply.cli.webconfig;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * TLS of a server.
 *
 * @param certificate a file with the server's certificate and those it is signed by
 * @param key a file with its private key
 * @param authorities a file with the certificates that clients' are signed by; empty for those that
 *     the Java runtime trusts
 * @param clients which certificates clients have
 * @param versions of the protocol, as Java calls them
 * @param cipherSuites empty for the runtime's
 * @param prefersOwn whether the server's order of cipher suites counts
 */
record TlsSettings(
    Path certificate,
    Path key,
    Optional<Path> authorities,
    Clients clients,
    List<String> versions,
    List<String> cipherSuites,
    boolean prefersOwn) {
  TlsSettings {
    versions = List.copyOf(versions);
    cipherSuites = List.copyOf(cipherSuites);
  }

  /** Which certificates clients have, by the name that Go has for it. */
  enum Clients {
    NONE("NoClientCert"),
    ASKED("RequestClientCert"),
    ANY("RequireAnyClientCert"),
    VERIFIED_IF_GIVEN("VerifyClientCertIfGiven"),
    VERIFIED("RequireAndVerifyClientCert");

    private final String word;

    Clients(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }

    /** Returns whether a client without one is refused. */
    boolean isNeeded() {
      return this == ANY || this == VERIFIED;
    }

    /** Returns whether one has to be signed by an authority. */
    boolean isVerified() {
      return this == VERIFIED_IF_GIVEN || this == VERIFIED;
    }

    static Optional<Clients> of(String word) {
      return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
    }
  }
}
