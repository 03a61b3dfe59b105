//! The types that come with the tool: which texts are members, and whose types have precedence.

use target_strategies::logic::eval::admits;
use target_strategies::logic::grammar::Rules;
use target_strategies::logic::ir::Sort;
use target_strategies::logic::value::Value;

use super::*;

/// For each type, members and texts that are none.
const TEXTS: [(&str, &[&str], &[&str]); 23] = [
    (
        "Email",
        &["a@b.co", "ada.b+c@mail.example.org"],
        &["", "a@b", "a.@b.co", "a@b.c", "a b@c.de", "@b.co", "a@-b.co"],
    ),
    (
        "Url",
        &["http://a", "https://a.org:65535/b?c=1#d", "http://a/%2F", "https://x-y.z/a//b"],
        &[
            "a.org",
            "ftp://a",
            "http://",
            "http://a:0",
            "http://a:65536",
            "http://a/%2",
            "http://-a",
            "http://a b",
        ],
    ),
    (
        "Uuid",
        &["0b0e7d3c-1f2a-4c5d-8e9f-a0b1c2d3e4f5"],
        &[
            "0b0e7d3c1f2a4c5d8e9fa0b1c2d3e4f5",
            "0B0E7D3C-1F2A-4C5D-8E9F-A0B1C2D3E4F5",
            "0b0e7d3c-1f2a-9c5d-8e9f-a0b1c2d3e4f5",
        ],
    ),
    ("Semver", &["0.0.0", "1.2.3-a.0+01"], &["1.2", "01.2.3", "1.2.3-01", "1.2.3-", "1.2.3+", "v1.2.3"]),
    (
        "IsoDate",
        &["2024-02-29", "2000-02-29", "0000-02-29", "1999-12-31"],
        &[
            "2023-02-29",
            "1900-02-29",
            "2024-04-31",
            "2024-13-01",
            "2024-00-10",
            "2024-01-00",
            "24-01-01",
            "2024-1-1",
        ],
    ),
    (
        "IsoTime",
        &["00:00:00", "23:59:59.123456789"],
        &["24:00:00", "00:60:00", "00:00:60", "00:00", "00:00:00."],
    ),
    (
        "IsoDateTime",
        &["2024-02-29T23:59:59Z", "2024-01-01T00:00:00.5+01:30"],
        &["2023-02-29T00:00:00Z", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00+24:00"],
    ),
    ("TimeOfDay", &["00:00", "23:59"], &["24:00", "7:30", "12:60", "12-30"]),
    ("Ipv4Text", &["0.0.0.0", "255.255.255.255"], &["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5"]),
    (
        "Ipv6Text",
        &["::", "::1", "1:2:3:4:5:6:7::", "fe80::1"],
        &[":", ":::", "1::2::3", "12345::", "1:2:3:4:5:6:7", "g::"],
    ),
    ("Hex", &["", "00fF"], &["0", "0g", "0x00"]),
    ("Base64", &["", "AA==", "AAA=", "AAEC/w=="], &["A", "AA", "AB==", "AAB=", "A===", "AAAA=", "A-AA"]),
    (
        "Iban",
        &["DE89370400440532013000", "AT611904300234573201"],
        &[
            "DE88370400440532013000",
            "DE8937040044053201300",
            "GB82WEST12345698765432",
            "de89370400440532013000",
        ],
    ),
    ("Isbn10", &["0306406152", "080442957X"], &["0306406153", "X804429570", "030640615"]),
    ("Isbn13", &["9780306406157"], &["9780306406158", "9770306406157", "978030640615"]),
    (
        "CreditCard",
        &["4111111111111111", "5500005555555559"],
        &["4111111111111112", "411111111111111", "6111111111111111"],
    ),
    (
        "Json",
        &[
            "null",
            "-0.5e+10",
            r#""a\u00e9\n\/é""#,
            r#""\ud83d\uDE00""#,
            "[]",
            "[[],{}]",
            r#"{"":1,"a":[true,{"b":""}]}"#,
        ],
        &[
            "",
            "nul",
            "01",
            "1.",
            "+1",
            "[1,]",
            "{1:2}",
            r#"{"a"}"#,
            "\"\n\"",
            r#""\x""#,
            r#""\ud83d""#,
            "[",
            "'a'",
        ],
    ),
    ("UnixPath", &["/", "a", "/usr/lib/", "../a b"], &["", "//", "a//b", "a\0"]),
    ("CsvField", &["", "a b", "\"\"", "\"a,\"\"b\r\n\""], &["a,b", "\"", "a\"", "\"a\"b\"", "a\n"]),
    ("Identifier", &["_", "a1", "A_b"], &["", "1a", "a-b", "é"]),
    ("IntegerText", &["0", "-1", "120"], &["", "-", "-0", "+1", "01", "1.0"]),
    ("DecimalText", &["0", "-0.50", "12.0"], &["", ".5", "5.", "00.1", "+1", "1e3"]),
    ("Slug", &["a", "hello-world-2"], &["", "-", "a-", "a--b", "A"]),
];

#[test]
fn each_type_has_its_members_and_no_others() {
    let tables = TEXTS
        .map(|(name, ..)| format!("{name} = {{ call = \"|t: &str| t.len()\", spec = \"fn(t: {name})\" }}\n"));
    let toml = format!("[package.metadata.target.functions]\n{}", tables.concat());
    let mut sources = Sources::default();
    let (manifest, mistakes) = read(&mut sources, Path::new("Cargo.toml"), &|_| Ok(toml.clone()));
    let (catalog, _) = scan_text(CRATE, "scores", &Cfg::default());
    let (subjects, found) = resolve(&manifest, &catalog, &PartialSettings::default());
    assert!(mistakes.is_empty() && found.is_empty(), "{mistakes:?} {found:?}");
    assert_eq!(subjects.len(), crate::frontend::declarations::library::names().count());
    for (name, members, others) in TEXTS {
        let subject = subjects.iter().find(|subject| subject.spec.name == name).expect(name);
        let value = |text: &str| match subject.spec.params[0].refined.sort {
            Sort::Data(rule) => Rules::of(&subject.spec).value(rule, text),
            _ => Value::str(text),
        };
        let is_member = |text: &str| admits(&subject.spec, &[value(text)]);
        for text in members {
            assert!(is_member(text), "{text:?} is no {name}");
        }
        for text in others {
            assert!(!is_member(text), "{text:?} is one of {name}");
        }
    }
}

#[test]
fn the_manifest_and_the_crate_have_precedence() {
    let spec_of = |tables: &str| {
        let text = resolved(tables);
        text.lines().filter(|line| !line.contains("result")).map(str::trim).collect::<Vec<_>>().join("\n")
    };
    let own =
        spec_of("\n[types]\nHex = \"{s: String | s.len() == 1}\"\n[functions]\ndecode = \"fn(text: Hex)\"\n");
    assert!(own.contains("s.len() == 1") && !own.contains("matches"), "{own}");
    let ours = spec_of("\n[functions]\ndecode = \"fn(text: Hex)\"\n");
    assert!(ours.contains("0-9A-Fa-f"), "{ours}");
    // A type of the standard library has this name, too.
    let rule = resolved("\n[grammars]\nRange = '\"a\" \"-\"'\n[functions]\ndecode = \"fn(text: Range)\"\n");
    assert!(!rule.contains("type parameter"), "{rule}");
    let mistake = resolved("\n[functions]\ndecode = \"fn(text: Hx)\"\n");
    assert!(mistake.contains("no type `Hx`"), "{mistake}");
    let other = resolved("\n[functions]\nsort = \"fn(xs: Vec<Hex>)\"\n");
    assert!(other.contains("<Hex>") || other.contains(": expected") || other.contains("`"), "{other}");
}
