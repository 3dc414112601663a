package dev.ply.cli.webconfig;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** The one certificate that the server has at the moment, for each handshake. */
@SuppressWarnings("NullAway") // As the interface says: null is none.
final class CertificateChoice extends X509ExtendedKeyManager {
  private static final String ALIAS = "server";

  private final Supplier<ServerCertificate> current;

  CertificateChoice(Supplier<ServerCertificate> current) {
    this.current = current;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    return chooseServerAlias(type, issuers, null);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    String own = current.get().key().getAlgorithm();
    return type.equals(own) || (type.equals("EdDSA") && own.startsWith("Ed")) ? ALIAS : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return current.get().chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return current.get().key();
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
