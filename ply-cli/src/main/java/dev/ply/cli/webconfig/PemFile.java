package dev.ply.cli.webconfig;

import dev.ply.cli.io.UsageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys in PEM. */
final class PemFile {
  private static final int LONGEST = 1 << 20;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  private PemFile() {}

  /** Returns all certificates of a file. */
  static List<X509Certificate> certificates(Path file) throws UsageException {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Matcher block = blocks(file); block.find(); ) {
        if (block.group(1).equals("CERTIFICATE")) {
          certificates.add(
              (X509Certificate)
                  factory.generateCertificate(new ByteArrayInputStream(decoded(block))));
        }
      }
    } catch (CertificateException | IllegalArgumentException e) {
      throw new UsageException(file + " has a certificate that cannot be read");
    }
    if (certificates.isEmpty()) {
      throw new UsageException(file + " has no certificate in PEM: -----BEGIN CERTIFICATE-----");
    }
    return certificates;
  }

  /** Returns the private key of a file, in PKCS#8, PKCS#1 or SEC 1. */
  static PrivateKey key(Path file) throws UsageException {
    for (Matcher block = blocks(file); block.find(); ) {
      try {
        byte[] content = decoded(block);
        switch (block.group(1)) {
          case "PRIVATE KEY" -> {
            return pkcs8(content);
          }
          case "RSA PRIVATE KEY" -> {
            return pkcs8(Pkcs8.ofPkcs1(content));
          }
          case "EC PRIVATE KEY" -> {
            return pkcs8(Pkcs8.ofSec1(content));
          }
          case "ENCRYPTED PRIVATE KEY" ->
              throw new UsageException(
                  file + " is encrypted: Prometheus takes no passphrase either");
          default -> {
            // Parameters of a curve, say.
          }
        }
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw new UsageException(file + " has a private key that cannot be read");
      }
    }
    throw new UsageException(file + " has no private key in PEM: -----BEGIN PRIVATE KEY-----");
  }

  private static PrivateKey pkcs8(byte[] content) throws GeneralSecurityException {
    GeneralSecurityException failure = new GeneralSecurityException("unknown key");
    for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(content));
      } catch (GeneralSecurityException e) {
        failure = e;
      }
    }
    throw failure;
  }

  private static byte[] decoded(Matcher block) {
    return Base64.getMimeDecoder().decode(block.group(2));
  }

  private static Matcher blocks(Path file) throws UsageException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new UsageException(file + " is no file");
    }
    try (InputStream content = Files.newInputStream(file)) {
      byte[] bytes = content.readNBytes(LONGEST + 1);
      if (bytes.length > LONGEST) {
        throw new UsageException(file + " is larger than 1 MiB");
      }
      return BLOCK.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException e) {
      throw new UsageException("no such file: " + file);
    } catch (IOException e) {
      throw new UsageException(file + " cannot be read: permission denied");
    }
  }
}
