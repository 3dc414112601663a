package dev.ply.cxx;

import com.google.common.collect.ImmutableMap;
import java.util.Map;

/** The codes that the Itanium C++ ABI has for types, operators and names (section 5.1). */
final class ItaniumCodes {
  /** Fundamental types. */
  static final Map<String, String> TYPES =
      ImmutableMap.<String, String>builder()
          .put("v", "void")
          .put("w", "wchar_t")
          .put("b", "bool")
          .put("c", "char")
          .put("a", "signed char")
          .put("h", "unsigned char")
          .put("s", "short")
          .put("t", "unsigned short")
          .put("i", "int")
          .put("j", "unsigned int")
          .put("l", "long")
          .put("m", "unsigned long")
          .put("x", "long long")
          .put("y", "unsigned long long")
          .put("n", "__int128")
          .put("o", "unsigned __int128")
          .put("f", "float")
          .put("d", "double")
          .put("e", "long double")
          .put("g", "__float128")
          .put("z", "...")
          .put("Dd", "decimal64")
          .put("De", "decimal128")
          .put("Df", "decimal32")
          .put("Di", "char32_t")
          .put("Ds", "char16_t")
          .put("Du", "char8_t")
          .put("Da", "auto")
          .put("Dc", "decltype(auto)")
          .put("Dn", "decltype(nullptr)")
          .buildOrThrow();

  /** Operators, as they follow {@code operator}. */
  static final Map<String, String> OPERATORS =
      ImmutableMap.<String, String>builder()
          .put("nw", " new")
          .put("na", " new[]")
          .put("dl", " delete")
          .put("da", " delete[]")
          .put("ps", "+")
          .put("ng", "-")
          .put("ad", "&")
          .put("de", "*")
          .put("co", "~")
          .put("pl", "+")
          .put("mi", "-")
          .put("ml", "*")
          .put("dv", "/")
          .put("rm", "%")
          .put("an", "&")
          .put("or", "|")
          .put("eo", "^")
          .put("aS", "=")
          .put("pL", "+=")
          .put("mI", "-=")
          .put("mL", "*=")
          .put("dV", "/=")
          .put("rM", "%=")
          .put("aN", "&=")
          .put("oR", "|=")
          .put("eO", "^=")
          .put("ls", "<<")
          .put("rs", ">>")
          .put("lS", "<<=")
          .put("rS", ">>=")
          .put("eq", "==")
          .put("ne", "!=")
          .put("lt", "<")
          .put("gt", ">")
          .put("le", "<=")
          .put("ge", ">=")
          .put("ss", "<=>")
          .put("nt", "!")
          .put("aa", "&&")
          .put("oo", "||")
          .put("pp", "++")
          .put("mm", "--")
          .put("cm", ",")
          .put("pm", "->*")
          .put("pt", "->")
          .put("cl", "()")
          .put("ix", "[]")
          .put("qu", "?")
          .put("aw", " co_await")
          .buildOrThrow();

  /** Names of the standard library, after {@code S}. */
  static final Map<String, String> STANDARD =
      Map.of(
          "a", "std::allocator",
          "b", "std::basic_string",
          "s", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
          "i", "std::basic_istream<char, std::char_traits<char> >",
          "o", "std::basic_ostream<char, std::char_traits<char> >",
          "d", "std::basic_iostream<char, std::char_traits<char> >");

  private ItaniumCodes() {}
}
