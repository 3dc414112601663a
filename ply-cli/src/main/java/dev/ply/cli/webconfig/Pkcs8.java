package dev.ply.cli.webconfig;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Older forms of private keys as PKCS#8, the one that Java reads (RFC 5208, RFC 5915). */
final class Pkcs8 {
  /** The version 0. */
  private static final String VERSION = "020100";

  /** rsaEncryption, 1.2.840.113549.1.1.1, with NULL as parameters. */
  private static final String RSA = "06092a864886f70d0101010500";

  /** id-ecPublicKey, 1.2.840.10045.2.1; the curve follows. */
  private static final String EC = "06072a8648ce3d0201";

  private static final int INTEGER = 0x02;
  private static final int OCTETS = 0x04;
  private static final int SEQUENCE = 0x30;

  /** The first context-specific element of SEC 1: the curve. */
  private static final int CURVE = 0xa0;

  private Pkcs8() {}

  static byte[] ofPkcs1(byte[] key) {
    return wrapped(HexFormat.of().parseHex(RSA), key);
  }

  /**
   * Returns a key of an elliptic curve.
   *
   * @throws IllegalArgumentException if it does not name its curve
   */
  static byte[] ofSec1(byte[] key) {
    Elements elements = new Elements(key);
    elements = new Elements(elements.expect(SEQUENCE));
    elements.expect(INTEGER);
    elements.expect(OCTETS);
    ByteArrayOutputStream algorithm = new ByteArrayOutputStream();
    algorithm.writeBytes(HexFormat.of().parseHex(EC));
    algorithm.writeBytes(elements.expect(CURVE));
    return wrapped(algorithm.toByteArray(), key);
  }

  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(HexFormat.of().parseHex(VERSION));
    content.writeBytes(element(SEQUENCE, algorithm));
    content.writeBytes(element(OCTETS, key));
    return element(SEQUENCE, content.toByteArray());
  }

  private static byte[] element(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      // In as few bytes as possible.
      int bytes = (Integer.SIZE + 7 - Integer.numberOfLeadingZeros(content.length)) / 8;
      out.write(0x80 | bytes);
      for (int i = bytes - 1; i >= 0; i--) {
        out.write(content.length >> (8 * i));
      }
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  /** Elements of DER, one after the other. */
  private static final class Elements {
    private final byte[] bytes;
    private int at;

    Elements(byte[] bytes) {
      this.bytes = bytes;
    }

    /** Returns the content of the next element. */
    byte[] expect(int tag) {
      if (next() != tag) {
        throw new IllegalArgumentException("another element than expected");
      }
      int length = next();
      if (length > 0x80) {
        int count = length & 0x7f;
        length = 0;
        for (int i = 0; i < count && length < bytes.length; i++) {
          length = (length << 8) | next();
        }
      }
      if (length < 0 || length > bytes.length - at) {
        throw new IllegalArgumentException("an element is cut");
      }
      byte[] content = new byte[length];
      System.arraycopy(bytes, at, content, 0, length);
      at += length;
      return content;
    }

    private int next() {
      if (at >= bytes.length) {
        throw new IllegalArgumentException("it is cut");
      }
      return bytes[at++] & 0xff;
    }
  }
}
