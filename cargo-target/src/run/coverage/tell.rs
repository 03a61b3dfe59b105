//! Turns the coverage of generators into events, counted by regions, lines and functions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use target_strategies::logic::ir::Spec;
use target_strategies::logic::rust_code;

use super::course::Course;
use super::map::Map;
use crate::events::{
    AddingInput, CoveredPoint, FileCovered, FunctionCount, FunctionCovered, LineCount, PackageCovered, Place,
    Share,
};

/// Maximum number of points, inputs or regions listed in an event.
const LISTED: usize = 200;

/// Maximum source text in an event, in bytes.
const MOST_TEXT: usize = 2 << 20;

/// A set of regions, and the lines that they are on.
struct Reached<'m> {
    map: &'m Map,
    regions: Vec<bool>,
    n_regions: u64,
    lines: BTreeSet<(usize, u32)>,
}

impl<'m> Reached<'m> {
    fn new(map: &'m Map) -> Reached<'m> {
        Reached { map, regions: vec![false; map.regions.len()], n_regions: 0, lines: BTreeSet::new() }
    }

    /// Adds a region; returns whether it is new.
    fn add(&mut self, number: usize) -> bool {
        if std::mem::replace(&mut self.regions[number], true) {
            return false;
        }
        let region = &self.map.regions[number];
        self.n_regions += 1;
        self.lines.extend((region.location.line..=region.location.end_line).map(|line| (region.file, line)));
        true
    }

    /// Adds the regions of sums; returns how many are new.
    fn add_sums(&mut self, sums: &[usize]) -> u64 {
        let map = self.map;
        let regions = sums.iter().filter_map(|sum| map.regions_of.get(*sum)).flatten();
        regions.filter(|region| self.add(**region)).count() as u64
    }

    /// Whether it contains any region of a function.
    fn has_part(&self, regions: &[usize]) -> bool {
        regions.iter().any(|region| self.regions[*region])
    }

    /// The reached shares of a whole: its regions, its lines, and these functions.
    fn shares(&self, whole: &Reached, functions: &[usize]) -> [Share; 3] {
        let regions =
            self.regions.iter().zip(&whole.regions).filter(|(own, of)| **own && **of).count() as u64;
        let lines = self.lines.intersection(&whole.lines).count() as u64;
        let entered = |number: &&usize| self.has_part(&self.map.functions[**number].regions);
        let functions = (functions.iter().filter(entered).count() as u64, functions.len() as u64);
        let totals = [(regions, whole.n_regions), (lines, whole.lines.len() as u64), functions];
        totals.map(|(covered, total)| Share { covered, total })
    }
}

/// All regions that a course reached.
fn reached<'m>(map: &'m Map, course: &Course) -> Reached<'m> {
    let mut reached = Reached::new(map);
    course.reaching.iter().for_each(|input| _ = reached.add_sums(&input.sums));
    reached
}

/// The functions that any of the courses entered, and the closures in them, by number.
fn entered(map: &Map, all: &[Reached]) -> Vec<usize> {
    let extent = |regions: &[usize]| {
        let first = &map.regions[*regions.first()?];
        let end =
            regions.iter().map(|region| map.regions[*region].location).map(|at| (at.end_line, at.end_column));
        Some((first.file, (first.location.line, first.location.column), end.max()?))
    };
    let is_run = |regions: &[usize]| all.iter().any(|reached| reached.has_part(regions));
    let ran: Vec<_> = map.functions.iter().filter(|function| is_run(&function.regions)).collect();
    let ran: Vec<_> = ran.iter().filter_map(|function| extent(&function.regions)).collect();
    let is_within = |regions: &[usize]| {
        extent(regions).is_some_and(|(file, start, end)| {
            ran.iter().any(|(outer, first, last)| *outer == file && *first <= start && end <= *last)
        })
    };
    (0..map.functions.len()).filter(|number| is_within(&map.functions[*number].regions)).collect()
}

/// The subject of a coverage event.
#[derive(Clone, Copy, Debug)]
pub struct Whose<'w> {
    /// The package's name.
    pub package: &'w str,
    /// The function's spec.
    pub spec: &'w Spec,
    /// The workspace's folder.
    pub base: &'w Path,
}

/// The coverage of each generator on one function, with its name and its notes.
pub fn function(
    whose: Whose,
    map: &Map,
    courses: Vec<(&'static str, Course, Vec<String>)>,
) -> Vec<FunctionCovered> {
    let all: Vec<Reached> = courses.iter().map(|(_, course, _)| reached(map, course)).collect();
    let functions = entered(map, &all);
    let mut whole = Reached::new(map);
    for number in &functions {
        map.functions[*number].regions.iter().for_each(|region| _ = whole.add(*region));
    }
    let describe = |((generator, course, notes), own): ((&'static str, Course, Vec<String>), &Reached)| {
        let [regions, lines, n_functions] = own.shares(&whole, &functions);
        let missed = (0..map.regions.len())
            .filter(|region| !own.regions[*region] && all.iter().any(|other| other.regions[*region]));
        let missed = missed.take(LISTED).map(|region| Place {
            file: shown(map, map.regions[region].file, whose.base),
            region: map.regions[region].location,
        });
        let (curve, n_adding, adding) = growth(map, &course, whose.spec);
        FunctionCovered {
            package: whose.package.to_owned(),
            function: whose.spec.name.clone(),
            generator: generator.into(),
            cases: course.cases,
            notes,
            regions,
            lines,
            functions: n_functions,
            curve,
            n_adding,
            adding,
            missed: missed.collect(),
        }
    };
    courses.into_iter().zip(&all).map(describe).collect()
}

/// The growth of a course's counts, and the inputs that added to them.
fn growth(map: &Map, course: &Course, spec: &Spec) -> (Vec<CoveredPoint>, u64, Vec<AddingInput>) {
    let (mut curve, mut adding, mut n_adding) = (Vec::new(), Vec::new(), 0);
    let mut so_far = Reached::new(map);
    let point = |cases: u64, seconds: f64, so_far: &Reached| {
        let (regions, lines) = (so_far.n_regions, so_far.lines.len() as u64);
        CoveredPoint { cases, seconds, regions, lines }
    };
    for input in &course.reaching {
        let regions = so_far.add_sums(&input.sums);
        if regions == 0 {
            continue;
        }
        n_adding += 1;
        curve.push(point(input.case, input.seconds, &so_far));
        if adding.len() < LISTED {
            let args = input.args.iter().zip(&spec.params);
            let args = args.map(|(value, param)| rust_code::readable(value, &param.refined, spec, false));
            adding.push(AddingInput { case: input.case, args: args.collect(), regions });
        }
    }
    curve.push(point(course.cases, course.seconds, &so_far));
    if curve.len() > LISTED {
        let last = curve.len() - 1;
        curve = (0..LISTED).map(|i| curve[i * last / (LISTED - 1)]).collect();
    }
    (curve, n_adding, adding)
}

/// The coverage of a package by all courses: the value of each counter, and the sums that were positive for some case.
pub fn package(
    name: &str,
    map: &Map,
    base: &Path,
    counters: &[u64],
    sums: &BTreeSet<usize>,
) -> PackageCovered {
    let sums: Vec<usize> = sums.iter().copied().collect();
    let mut own = Reached::new(map);
    own.add_sums(&sums);
    let count = |sum: &usize| {
        let count = |&(counter, factor): &(u32, i64)| {
            i128::from(counters.get(counter as usize).copied().unwrap_or(0)) * i128::from(factor)
        };
        u64::try_from(map.sums[*sum].iter().map(count).sum::<i128>().max(0)).unwrap_or(u64::MAX)
    };
    // If a process ended in a batch, it is known which regions its cases reached, but not how often.
    let counts = map.regions.iter().zip(&own.regions).map(|(region, is_reached)| {
        if *is_reached { region.sums.iter().map(count).fold(0, u64::saturating_add).max(1) } else { 0 }
    });
    let counts: Vec<u64> = counts.collect();
    let whole = |file: Option<usize>| {
        let mut whole = Reached::new(map);
        let is_in = |number: &usize| file.is_none_or(|file| map.regions[*number].file == file);
        (0..map.regions.len()).filter(is_in).for_each(|number| _ = whole.add(number));
        let starts = |number: &usize| map.functions[*number].regions.first().is_some_and(&is_in);
        let functions: Vec<usize> = (0..map.functions.len()).filter(starts).collect();
        own.shares(&whole, &functions)
    };
    let [regions, lines, functions] = whole(None);
    let mut left = MOST_TEXT;
    let files = (0..map.files.len()).map(|file| {
        let source = std::fs::read_to_string(&map.files[file]).ok().filter(|text| text.len() <= left);
        left -= source.as_ref().map_or(0, String::len);
        self::file(map, file, &counts, whole(Some(file)), source, base)
    });
    PackageCovered { package: name.to_owned(), regions, lines, functions, files: files.collect() }
}

/// One file, with the counts of its regions.
fn file(
    map: &Map,
    file: usize,
    counts: &[u64],
    [regions, lines, functions]: [Share; 3],
    source: Option<String>,
    base: &Path,
) -> FileCovered {
    let own = || map.regions.iter().zip(counts).filter(move |(region, _)| region.file == file);
    let mut by_line: BTreeMap<u32, u64> = BTreeMap::new();
    for (region, count) in own() {
        for line in region.location.line..=region.location.end_line {
            let most = by_line.entry(line).or_default();
            *most = (*most).max(*count);
        }
    }
    let functions_in_it = map.functions.iter().filter_map(|function| {
        let entry = *function.regions.first()?;
        let region = &map.regions[entry];
        (region.file == file).then(|| FunctionCount {
            name: function.name.clone(),
            line: region.location.line,
            count: counts[entry],
        })
    });
    FileCovered {
        file: shown(map, file, base),
        regions,
        lines,
        functions,
        counts: by_line.into_iter().map(|(line, count)| LineCount { line, count }).collect(),
        uncovered: own().filter(|(_, count)| **count == 0).map(|(region, _)| region.location).collect(),
        functions_in_it: functions_in_it.collect(),
        source,
    }
}

/// A file's name in events: relative to the workspace if it is inside.
fn shown(map: &Map, file: usize, base: &Path) -> String {
    let path = &map.files[file];
    path.strip_prefix(base).unwrap_or(path).display().to_string()
}
