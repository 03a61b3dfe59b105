use std::time::Duration;

use std::collections::HashMap;
use std::io;
use std::path::Path;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::frontend::diagnostic::{Diagnostic, Sources, render};
use crate::frontend::spec::parse;

/// Reads `Cargo.toml` among the given files and parses every text in it: the manifest and what is wrong.
fn load(files: &[(&str, &str)]) -> (Manifest, Vec<Diagnostic>, Sources) {
    let files: HashMap<&str, &str> = files.iter().copied().collect();
    let read_file = |path: &Path| {
        let text = path.to_str().and_then(|path| files.get(path));
        text.map(|text| text.to_string())
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    };
    let mut sources = Sources::default();
    let (manifest, mut diagnostics) = read(&mut sources, Path::new("Cargo.toml"), &read_file);
    for (head, text) in &manifest.types {
        diagnostics.extend(parse::declaration_head(head).err().unwrap_or_default());
        diagnostics.extend(parse::ty(text).err().unwrap_or_default());
    }
    for function in &manifest.functions {
        if function.call.is_none() {
            diagnostics.extend(parse::path(&function.key).err().unwrap_or_default());
        }
        diagnostics.extend(parse::signature(&function.spec).err().unwrap_or_default());
        if let Some(explore) = &function.explore {
            diagnostics.extend(parse::condition(explore).err().unwrap_or_default());
        }
        for example in &function.examples {
            diagnostics.extend(parse::expr(example).err().unwrap_or_default());
        }
    }
    (manifest, diagnostics, sources)
}

fn check(files: &[(&str, &str)], expected: Expect) {
    let (_, diagnostics, sources) = load(files);
    expected.assert_eq(&render(&diagnostics, &sources, false));
}

#[test]
fn all_tables_are_read_in_the_order_of_the_file() {
    let manifest = r#"
[package.metadata.target]
depth = 3
budget = "500 ms"
include = ["specs/more.toml"]
[package.metadata.target.types]
Pos = "{v: i64 | 0 < v}"
"Rng(n: int)" = '{v: i64 | 0 <= v && v < n}'
[package.metadata.target.data]
Span = "struct std::ops::Range<usize> { start: usize }"
[package.metadata.target.functions]
rescale = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"
"tree::insert" = { spec = "fn(x: Pos)", depth = 6, boundary = false }
[package.metadata.target.functions.drain]
call = "|v: &mut Vec<i64>| v.drain(..).count()"
spec = "fn(v: &mut Vec<i64>) -> usize"
examples = ["(vec![1, 2],)", "(vec![],)"]
explore = "v.len() <= 3"
"#;
    let more = "[types]\nNat = '{v: i64 | 0 <= v}'\n[functions]\n\"a::b\" = 'fn(n: Nat)'\n";
    let (manifest, diagnostics, _) = load(&[("Cargo.toml", manifest), ("specs/more.toml", more)]);
    assert_eq!(diagnostics, []);
    let heads: Vec<&str> = manifest.types.iter().map(|(head, _)| head.text.as_str()).collect();
    let keys: Vec<&str> = manifest.functions.iter().map(|function| function.key.text.as_str()).collect();
    assert_eq!(heads, ["Pos", "Rng(n: int)", "Nat"]);
    assert_eq!(keys, ["rescale", "tree::insert", "drain", "a::b"]);
    assert_eq!((manifest.data.len(), manifest.settings.resolve().budget), (1, Duration::from_millis(500)));
    let drain = &manifest.functions[2];
    assert_eq!((drain.examples.len(), drain.explore.is_some(), drain.call.is_some()), (2, true, true));
    let insert = manifest.functions[1].settings.over(&manifest.settings).resolve();
    assert_eq!((insert.depth, insert.bound, insert.boundary), (6, 6, false));
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn every_mistake_of_a_manifest_is_shown_at_its_place() {
    let manifest = r#"[package]
name = "scores"

[package.metadata.target]
dept = 4
rescale_nat = "fn(n: u8)"
bound = "4"
cases = 0
depth = 5001
budget = "10 parsecs"
timeout = 1
memory = "512"
include = ["specs/trees.toml", "specs/gone.toml", "specs/trees.toml"]

[package.metadata.target.types]
Pos = "{v: i64 | 0 < v < 10}"
"Rng(n: int" = "i64"
Even = """
{v: i64 |
    v % 2 = 0}"""
Score = 100
Quoted = "{v: String | v == \"\u00e9\t\" or v.is_empty()}"

[package.metadata.target.functions]
rescale = "fn(r1: Pos, r2: Pos -> Pos"
best = "fn(k: Nat) -> {v: i64 | v > k where k. > 0}"
"tree::insert" = { spec = "fn(x: Pos)", dephth = 3, examples = "(1)" }
lonely = { depth = 1 }
drain = { spec = "fn(x: Pos) requires x => 3", explore = "x <= é]" }
nan = [1]
"#;
    let trees = "depth = 1\n[typs]\n[functions]\n\"tree::insert\" = \"fn(x: Pos)\"\n[types]\nPos = 'i64'\n";
    check(
        &[("Cargo.toml", manifest), ("specs/trees.toml", trees)],
        expect![[r#"
            error: unknown key `dept`
             --> Cargo.toml:5:1
              |
            5 | dept = 4
              | ^^^^
              |
              = help: did you mean `depth`?

            error: unknown key `rescale_nat`
             --> Cargo.toml:6:1
              |
            6 | rescale_nat = "fn(n: u8)"
              | ^^^^^^^^^^^
              |
              = help: specs of functions have a table of their own: write `[package.metadata.target.functions]` above them

            error: `bound` must be an integer
             --> Cargo.toml:7:9
              |
            7 | bound = "4"
              |         ^^^ this is a string
              |
              = help: write it without quotes: bound = 4

            error: `cases` must lie between 1 and 1000000000000
             --> Cargo.toml:8:9
              |
            8 | cases = 0
              |         ^ out of range

            error: `depth` must lie between 0 and 5000
             --> Cargo.toml:9:9
              |
            9 | depth = 5001
              |         ^^^^ out of range

            error: `10 parsecs` is not a duration
              --> Cargo.toml:10:11
               |
            10 | budget = "10 parsecs"
               |           ^^^^^^^^^^
               |
               = help: expected a number and a unit (`ms`, `s`, `min`, `h`), such as `10s` or `500 ms`

            error: `timeout` must be a string such as "1s"
              --> Cargo.toml:11:11
               |
            11 | timeout = 1
               |           ^ this is an integer

            error: `512` is not a size of memory
              --> Cargo.toml:12:11
               |
            12 | memory = "512"
               |           ^^^
               |
               = help: expected a number and a unit (`KiB`, `MiB`, `GiB`), such as `512 MiB`

            error: can't read `specs/gone.toml`: no such file
              --> Cargo.toml:13:33
               |
            13 | include = ["specs/trees.toml", "specs/gone.toml", "specs/trees.toml"]
               |                                 ^^^^^^^^^^^^^^^
               |
               = help: paths in `include` are relative to the manifest's folder

            error: `specs/trees.toml` is included twice
              --> Cargo.toml:13:52
               |
            13 | include = ["specs/trees.toml", "specs/gone.toml", "specs/trees.toml"]
               |                                                    ^^^^^^^^^^^^^^^^

            error: comparisons can't be chained
              --> Cargo.toml:16:24
               |
            16 | Pos = "{v: i64 | 0 < v < 10}"
               |                        ^ a second comparison
               |
               = help: write `0 < v && v < 10`

            error: this `(` is never closed
              --> Cargo.toml:17:5
               |
            17 | "Rng(n: int" = "i64"
               |     ^ expected a `)` for it

            error: expected an operator, `where` or `}`, found `=`
              --> Cargo.toml:20:11
               |
            20 |     v % 2 = 0}"""
               |           ^
               |
               = help: equality is written `==`

            error: `Score` must be a string
              --> Cargo.toml:21:9
               |
            21 | Score = 100
               |         ^^^ this is an integer
               |
               = help: as in `Pos = "{v: i64 | 0 < v}"`

            error: expected an operator, `where` or `}`, found `or`
              --> Cargo.toml:22:42
               |
            22 | Quoted = "{v: String | v == \"\u00e9\t\" or v.is_empty()}"
               |                                          ^^
               |
               = help: disjunction is written `||`

            error: expected `,` or `)`, found `->`
              --> Cargo.toml:25:32
               |
            25 | rescale = "fn(r1: Pos, r2: Pos -> Pos"
               |                                ^^
               |
               = help: is a `)` missing before?

            error: this is no Rust expression: expected identifier or integer
              --> Cargo.toml:26:48
               |
            26 | best = "fn(k: Nat) -> {v: i64 | v > k where k. > 0}"
               |                                                ^

            error: unknown key `dephth` of a function
              --> Cargo.toml:27:41
               |
            27 | "tree::insert" = { spec = "fn(x: Pos)", dephth = 3, examples = "(1)" }
               |                                         ^^^^^^
               |
               = help: did you mean `depth`?

            error: `examples` must be an array of strings
              --> Cargo.toml:27:64
               |
            27 | "tree::insert" = { spec = "fn(x: Pos)", dephth = 3, examples = "(1)" }
               |                                                                ^^^^^ this is a string
               |
               = help: each string is a tuple of arguments: examples = ["(1, 2)"]

            error: the function `lonely` has no `spec`
              --> Cargo.toml:28:1
               |
            28 | lonely = { depth = 1 }
               | ^^^^^^
               |
               = help: write `spec = "fn(x: T, ..) -> T"` in its table

            error: expected an operator, `requires`, `ensures`, `panics if` or the end, found `=>`
              --> Cargo.toml:29:41
               |
            29 | drain = { spec = "fn(x: Pos) requires x => 3", explore = "x <= é]" }
               |                                         ^^
               |
               = help: implication is written `==>`

            error: expected an operator, `where` or the end, found `]`
              --> Cargo.toml:29:65
               |
            29 | drain = { spec = "fn(x: Pos) requires x => 3", explore = "x <= é]" }
               |                                                                 ^
               |
               = help: is there a bracket too many, or one missing before?

            error: a function must be a signature in a string, or a table with `spec`
              --> Cargo.toml:30:7
               |
            30 | nan = [1]
               |       ^^^ this is an array

            error: `depth` can't be in an included file
             --> specs/trees.toml:1:1
              |
            1 | depth = 1
              | ^^^^^
              |
              = help: an included file has the tables `types`, `data`, `measures`, `grammars` and `functions`

            error: unknown table `typs`
             --> specs/trees.toml:2:2
              |
            2 | [typs]
              |  ^^^^
              |
              = help: did you mean `types`?

            error: the function `tree::insert` is defined twice
             --> specs/trees.toml:4:2
              |
            4 | "tree::insert" = "fn(x: Pos)"
              |  ^^^^^^^^^^^^ defined again here
              |
              = help: the first definition is at Cargo.toml:27:2

            error: the alias `Pos` is defined twice
             --> specs/trees.toml:6:1
              |
            6 | Pos = 'i64'
              | ^^^ defined again here
              |
              = help: the first definition is at Cargo.toml:16:1
        "#]],
    );
}

#[test]
fn the_usual_slips_in_toml_get_advice() {
    for (text, advice) in [
        ("f = \"fn(s: {s: &str | s.starts_with(\"a\")})\"", Some("second `\"`")),
        ("f = 'fn(c: {c: char | c == 'a'})'", Some("second `'`")),
        ("f::<i64> = \"fn()\"", Some("needs quotes")),
        ("Pair<T> = \"(T, T)\"", Some("needs quotes")),
        ("\"Rng(n: int)\" = 1", None),
        ("a = 1 2", None),
        ("a = \"x", None),
    ] {
        let help = syntax_help(text);
        assert_eq!(help.is_some(), advice.is_some(), "{text}");
        assert!(advice.is_none_or(|advice| help.is_some_and(|help| help.contains(advice))), "{text}");
    }
    check(
        &[(
            "Cargo.toml",
            "[package.metadata.target]\ncases = \"10\"\nboundary = \"no\"\n[package.metadata.target.functions]\nAcc.add = \"fn()\"",
        )],
        expect![[r#"
            error: `cases` must be an integer
             --> Cargo.toml:2:9
              |
            2 | cases = "10"
              |         ^^^^ this is a string
              |
              = help: write it without quotes: cases = 10

            error: `boundary` must be `true` or `false`
             --> Cargo.toml:3:12
              |
            3 | boundary = "no"
              |            ^^^^ this is a string

            error: `add` is no key of the function `Acc`
             --> Cargo.toml:5:5
              |
            5 | Acc.add = "fn()"
              |     ^^^
              |
              = help: write the path of a method with `::`, in quotes: "Acc::add" = ..
        "#]],
    );
}

#[test]
fn a_text_that_is_no_toml_is_one_mistake() {
    check(
        &[("Cargo.toml", "[package.metadata.target.functions]\ntree::insert = \"fn()\"\nb = \n")],
        expect![[r#"
            error: invalid TOML: invalid unquoted key, expected letters, numbers, `-`, `_`
             --> Cargo.toml:2:5
              |
            2 | tree::insert = "fn()"
              |     ^^
              |
              = help: a key with `::`, `<` or `(` in it needs quotes: "tree::insert" = ..
        "#]],
    );
    check(
        &[("Cargo.toml", "[package.metadata.target.types]\nPos = \"{v: i64 | 0 < v}\nb = 1\n")],
        expect![[r#"
            error: invalid TOML: invalid basic string, expected `"`
             --> Cargo.toml:2:24
              |
            2 | Pos = "{v: i64 | 0 < v}
              |                        ^
        "#]],
    );
}

#[test]
fn what_is_not_there_is_said() {
    check(
        &[],
        expect![[r#"
        error: can't read Cargo.toml: no such file
         --> Cargo.toml:1:1
          |
        1 |
          | ^
    "#]],
    );
    check(
        &[("Cargo.toml", "[package.metadata.targets]\ndepth = 1\n[package.metadata.docs]")],
        expect![[r#"
        warning: the table `package.metadata.targets` is not looked at
         --> Cargo.toml:1:19
          |
        1 | [package.metadata.targets]
          |                   ^^^^^^^
          |
          = help: did you mean `package.metadata.target`?
    "#]],
    );
    check(
        &[("Cargo.toml", "[metadata.target.functions]\nf = \"fn()\"\n")],
        expect![[r#"
        warning: the table `metadata.target` is not looked at
         --> Cargo.toml:1:11
          |
        1 | [metadata.target.functions]
          |           ^^^^^^
          |
          = help: write `package.metadata.target`
    "#]],
    );
    assert!(has_misnamed_table("[metadata.target]"));
    assert!(!has_misnamed_table("[package.metadata.target]\n[metadata.targets]"));
    check(
        &[("Cargo.toml", "[package.metadata]\ntarget = 1\n")],
        expect![[r#"
        error: `target` must be a table
         --> Cargo.toml:2:10
          |
        2 | target = 1
          |          ^ this is an integer
    "#]],
    );
    check(&[("Cargo.toml", "[package]\nname = \"none\"\n")], expect![[""]]);
}

#[test]
fn a_package_stands_over_its_workspace() {
    let text = "[workspace.metadata.target]\ndepth = 2\ncases = 5\n\
        [workspace.metadata.target.types]\nPos = 'i64'\n'Nat(n: int)' = 'i64'\n\
        [package.metadata.target]\ndepth = 3\n[package.metadata.target.types]\nNat = 'u8'\n";
    let read_file = |_: &Path| Ok(text.to_owned());
    let mut sources = Sources::default();
    let (package, wrong) = read(&mut sources, Path::new("Cargo.toml"), &read_file);
    let (workspace, wrong_too) = read_workspace(&mut sources, Path::new("Cargo.toml"), &read_file);
    assert_eq!((wrong, wrong_too, sources.files.len()), (vec![], vec![], 1));
    let merged = package.over(&workspace);
    let heads: Vec<&str> = merged.types.iter().map(|(head, _)| head.text.as_str()).collect();
    assert_eq!((heads, merged.settings.depth, merged.settings.cases), (vec!["Nat", "Pos"], Some(3), Some(5)));
}

proptest! {
    #[test]
    fn no_manifest_makes_the_reader_panic(text in hostile_manifest()) {
        let (_, diagnostics, sources) = load(&[("Cargo.toml", &text)]);
        render(&diagnostics, &sources, true);
        for diagnostic in diagnostics {
            let (line, column) = sources.line_column(diagnostic.span);
            prop_assert!(line >= 1 && column >= 1);
        }
    }
}

/// Lines of a manifest in any order, some damaged.
fn hostile_manifest() -> impl Strategy<Value = String> {
    let lines = || {
        prop::sample::select(vec![
            "[package.metadata.target]",
            "[package.metadata.target.types]",
            "[package.metadata.target.functions]",
            "[[package.metadata.target.functions]]",
            "[package.metadata.target.functions.f]",
            "depth = 3",
            "include = ['Cargo.toml']",
            "Pos = \"{v: i64 | 0 < v\\t}\"",
            "a.b.c = 1",
            "'' = ''",
            "spec = '''\nfn(x: {v: i64 | v == \"é\"})'''",
            "\"\\u00e9\" = \"\"\"\\\n  fn(\"\"\"",
            "examples = ['(', \"\\\"\"]",
            "memory = '1 MiB'",
            "timeout = {}",
            "call = 1979-05-27",
            "# é",
        ])
    };
    let whole = || prop::collection::vec(lines(), 0..8).prop_map(|lines| lines.join("\n"));
    prop_oneof![
        whole(),
        (whole(), any::<prop::sample::Index>(), any::<char>()).prop_map(|(text, index, c)| {
            let mut chars: Vec<char> = text.chars().collect();
            if !chars.is_empty() {
                let index = index.index(chars.len());
                chars[index] = c;
            }
            chars.into_iter().collect()
        }),
        any::<String>(),
    ]
}
