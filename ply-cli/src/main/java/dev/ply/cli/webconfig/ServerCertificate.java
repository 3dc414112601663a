package dev.ply.cli.webconfig;

import dev.ply.cli.io.UsageException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A server's certificate and its key.
 *
 * @param chain the certificate, then those it is signed by
 */
record ServerCertificate(List<X509Certificate> chain, PrivateKey key) {
  ServerCertificate {
    chain = List.copyOf(chain);
  }

  /**
   * Reads them.
   *
   * @throws UsageException if they cannot be read, or do not belong together
   */
  static ServerCertificate read(TlsSettings settings) throws UsageException {
    List<X509Certificate> chain = PemFile.certificates(settings.certificate());
    PrivateKey key = PemFile.key(settings.key());
    if (!isPair(chain.get(0), key)) {
      throw new UsageException(
          settings.key() + " is not the key of the certificate in " + settings.certificate());
    }
    return new ServerCertificate(chain, key);
  }

  private static boolean isPair(X509Certificate certificate, PrivateKey key) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
