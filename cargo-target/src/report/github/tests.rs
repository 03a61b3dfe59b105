//! Annotations of made-up events, hostile ones among them.

use expect_test::expect;

use super::*;
use crate::report::sample;

#[test]
fn each_finding_is_one_command_at_its_place() {
    let text = render(sample::recorded(sample::hostile())).unwrap();
    expect![[r#"
        ::error file=my%2Cdir%3Ax/Cargo.toml,line=5,col=9,title=cargo target::there is no type `Foo|<i>`%0Ahelp: 100%25 sure:%0Aname another
        ::error file=src/lib.rs,line=3,col=5,title=</code>|%3A%3Aerror%3A%3A%250A`x`%3A panic::</code>|::error::%250A`x`(1, vec![2]) panicked: ]]> </failure> <script>alert(1)</script>%0A::warning::100%25, a: b%0A```%0A\u{1b}[31m\u{0}\u{202e} | @everyone%0Ainside the bound, found by native%0Aat src/lib.rs:3:5%0A%0A#[test]%0Afn f_counterexample() {%0A    let _result = f(1, vec![2]);%0A}%0A%0Aagain: cargo target run -p scores --exact f --case '(1, vec![2])'
        ::error file=Cargo.toml,line=22,col=40,title=</code>|%3A%3Aerror%3A%3A%250A`x`%3A counterexample::</code>|::error::%250A`x`(3, vec![]) returned "<b>|"%0Abeyond the bound, found by native%0Abreaks `v < n || n > 3`  Cargo.toml:22:40%0Anot confirmed: it failed again neither alone nor after the earlier cases of its process%0A%0A#[test]%0Afn f_counterexample() {%0A    let _result = f(1, vec![2]);%0A}%0A%0Aagain: cargo target run -p scores --exact f --case '(1, vec![2])'
        ::warning file=Cargo.toml,line=9,col=1,title=empty%3A vacuous::no input within depth and bound satisfies the spec%0A`v > 9`  Cargo.toml:9:1%0Ahelp: raise --bound
        ::warning title=lonely%3A gave-up::no valid input was found%0AZ3 gave up on | <this>
    "#]].assert_eq(&text);
    assert!(text.lines().all(|line| line.starts_with("::")), "{text}");
    assert!(!text.contains('\r'), "{text:?}");
}

#[test]
fn places_are_read_from_the_right() {
    let location = Location::parse("C:\\a,b\\Cargo.toml:12:3").unwrap();
    assert_eq!(location, Location { file: "C:\\a,b\\Cargo.toml", line: 12, column: 3 });
    assert_eq!(
        command("error", Some(&location), "a:b", "100%\r\nc: d, e"),
        "::error file=C%3A\\a%2Cb\\Cargo.toml,line=12,col=3,title=a%3Ab::100%25%0Ac: d, e"
    );
    for nowhere in ["", "x.rs", "x.rs:1", ":1:2", "x.rs:one:2", "/rustc/abc/library/core/src/option.rs:1:2"] {
        assert_eq!(Location::parse(nowhere), None, "{nowhere}");
    }
}
