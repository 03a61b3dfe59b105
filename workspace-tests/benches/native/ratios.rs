//! Listing by the native engine, beside enumerators written by hand, bolero, and one model of Z3 at a time.

use workspace_tests::options::Options;
use workspace_tests::plot::{seconds, table};
use workspace_tests::structures::{Heaps, RedBlackTrees, RelatedIntegers, SearchTrees, SortedLists};

use crate::clock::{Rate, by_blocking, by_bolero, by_engine, by_engine_owned, by_hand};
use crate::dependent::Dependent;

/// How many times as long as by hand the engine may take.
const TREES: f64 = 3.0;
const ARRAYS: f64 = 10.0;

/// Prints the times for each value, and their ratios.
pub fn print(options: &Options) {
    let mut times = vec![head("by hand, owned | native | native, owned | bolero, owned | Z3, blocking")];
    let mut ratios = vec![head("native to hand | owned to hand | mark | bolero to owned | Z3 to native")];
    let mut add = |rows: Option<[Vec<String>; 2]>| {
        for (table, row) in [&mut times, &mut ratios].into_iter().zip(rows.into_iter().flatten()) {
            table.push(row);
        }
    };
    add(measure::<SearchTrees>(options, 12, 4, TREES));
    add(measure::<RedBlackTrees>(options, 20, 4, TREES));
    add(measure::<Heaps>(options, 8, 5, ARRAYS));
    add(measure::<SortedLists>(options, 10, 8, ARRAYS));
    add(measure::<RelatedIntegers>(options, 100, 30, ARRAYS));
    println!("## Time for each value\n\n{}\n## Ratios\n\n{}", table(&times), table(&ratios));
}

fn head(words: &str) -> Vec<String> {
    ["structure", "n"].into_iter().chain(words.split(" | ")).map(str::to_owned).collect()
}

/// Two rows: the times, and what they are to each other. The yardstick gets a smaller number.
fn measure<S: Dependent>(options: &Options, n: u32, n_blocked: u32, mark: f64) -> Option<[Vec<String>; 2]> {
    if options.text("--only").is_some_and(|only| !S::NAME.contains(only)) {
        return None;
    }
    let space = S::space(n);
    let [hand, engine, owned, bolero, z3] = [
        by_hand::<S>(n),
        by_engine(&space),
        by_engine_owned::<S>(&space),
        by_bolero::<S>(n),
        by_blocking(&S::space(n_blocked)),
    ];
    let shown = |rate: &Option<Rate>| rate.map_or_else(|| "none".to_owned(), |rate| seconds(rate.seconds));
    let mut times: Vec<String> = [&hand, &engine, &owned, &bolero].into_iter().map(shown).collect();
    times.push(
        z3.map_or_else(|| "none found".to_owned(), |z3| format!("{} (n = {n_blocked})", seconds(z3.seconds))),
    );
    let within = [&engine, &owned].map(|rate| Some(rate.as_ref()?.seconds / hand.as_ref()?.seconds <= mark));
    let verdict = match within {
        [Some(true), Some(true)] => "met",
        [Some(true), _] => "met as values",
        [Some(false), _] => "missed",
        [None, _] => "none",
    };
    let ratios = [
        ratio(engine, hand),
        ratio(owned, hand),
        format!("{mark} : 1, {verdict}"),
        ratio(bolero, owned),
        ratio(z3, engine),
    ];
    let name = [S::NAME.to_owned(), n.to_string()];
    eprintln!(
        "{} {n}: by hand {hand:?}, native {engine:?}, owned {owned:?}, bolero {bolero:?}, Z3 {z3:?}",
        S::NAME
    );
    Some([[&name[..], &times].concat(), [&name[..], &ratios].concat()])
}

/// How many times as long one takes as another.
fn ratio(one: Option<Rate>, other: Option<Rate>) -> String {
    let (Some(one), Some(other)) = (one, other) else { return "none".to_owned() };
    let ratio = one.seconds / other.seconds;
    if ratio < 10.0 { format!("{ratio:.1} : 1") } else { format!("{ratio:.0} : 1") }
}
