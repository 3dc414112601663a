package dev.ply.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoffTest {
  @Test
  void textIsNeverARequest() {
    assertThat(new Roff().paragraph(".so /etc/passwd").toString())
        .isEqualTo("\\&.so /etc/passwd\n");
    assertThat(new Roff().paragraph("'br").toString()).isEqualTo("\\&'br\n".replace("'", "\\(aq"));
    assertThat(new Roff().verbatim(".ex\n\na\\nb  \n").toString())
        .isEqualTo(".nf\n\\&.ex\n\\&\na\\enb\n.fi\n");
    assertThat(new Roff().macro("SH", "a \"b\"\n.so x").toString())
        .isEqualTo(".SH \"a \\(dqb\\(dq.so x\"\n");
  }

  @Test
  void charactersStayThoseThatShellsTake() {
    assertThat(Roff.escaped("--a='b' `c` ~d ^e \\f … \u001b[0m"))
        .isEqualTo("\\-\\-a=\\(aqb\\(aq \\(gac\\(ga \\(tid \\(hae \\ef \\[u2026] [0m");
  }
}
