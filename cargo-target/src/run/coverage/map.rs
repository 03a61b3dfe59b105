//! Maps an instrumented harness to the user's source: files, functions, regions, and the sum of counters that counts
//! each region.
//!
//! For each compiled function, rustc writes into the program its regions and how their counts follow from counters: a
//! counter, or counters added and subtracted. `llvm_profparser` reads that. To locate the counters, the harness writes
//! a profile in which each counter's value is its own number. A generic function appears once for each instance:
//! regions at the same position are merged here, with several sums.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use llvm_profparser::coverage_mapping::read_object_file;
use llvm_profparser::{
    Counter, CounterType, CoverageMappingInfo, ExprKind, FunctionRecordV3, RegionKind, SourceLocation,
};
use target_strategies::child::protocol::Sum;

use crate::events::RegionEvent;

/// The files, functions and regions of a package's source.
#[derive(Debug, Default)]
pub struct Map {
    /// The files, sorted.
    pub files: Vec<PathBuf>,
    /// The regions, sorted by file and position.
    pub regions: Vec<Region>,
    /// The functions, sorted by file and position.
    pub functions: Vec<Function>,
    /// The different sums of all regions.
    pub sums: Arc<Vec<Sum>>,
    /// For each sum, the numbers of the regions that it counts.
    pub regions_of: Vec<Vec<usize>>,
}

/// A piece of a file that runs as a whole or not at all.
#[derive(Debug)]
pub struct Region {
    /// The number of its file.
    pub file: usize,
    /// Its position in the file.
    pub location: RegionEvent,
    /// The sums that count it, by number. Their counts add up.
    pub sums: Vec<usize>,
}

/// A function of the source.
#[derive(Debug)]
pub struct Function {
    /// Its path.
    pub name: String,
    /// The numbers of its regions; the first is its entry.
    pub regions: Vec<usize>,
}

/// The data collected for a region or function, by position.
#[derive(Debug, Default)]
struct Gathered {
    sums: BTreeSet<usize>,
    names: BTreeSet<String>,
    inner: BTreeSet<Place>,
}

type Place = (PathBuf, RegionEvent);

/// Reads the map of a program, and a profile that locates its counters. `is_own` says which files are the user's.
pub fn read(program: &Path, numbered: &[u8], is_own: &dyn Fn(&Path) -> bool) -> Result<Map> {
    let profile = llvm_profparser::parse_bytes(numbered).context("read the profile of the harness")?;
    let version = profile.version().context("the profile of the harness has no version")?;
    let info = read_object_file(program, version)
        .with_context(|| format!("read how {} counts", program.display()))?;
    let mut counters: HashMap<u64, &[u64]> = HashMap::new();
    for record in profile.records() {
        if let Some(name) = record.name_hash {
            counters.insert(name, record.counts());
        }
    }
    let mut reader = Reader {
        info: &info,
        counters: &counters,
        sums: HashMap::new(),
        gathered: [const { BTreeMap::new() }; 2],
    };
    for function in &info.cov_fun {
        reader.function(function, is_own)?;
    }
    Ok(reader.finish())
}

struct Reader<'r> {
    info: &'r CoverageMappingInfo,
    /// By the hash of a function's name: its counters, whose values are their numbers.
    counters: &'r HashMap<u64, &'r [u64]>,
    sums: HashMap<Sum, usize>,
    /// Regions, and functions by their first region.
    gathered: [BTreeMap<Place, Gathered>; 2],
}

impl Reader<'_> {
    fn function(&mut self, function: &FunctionRecordV3, is_own: &dyn Fn(&Path) -> bool) -> Result<()> {
        let header = &function.header;
        let files = self.info.get_files_from_id(header.filenames_ref);
        // Dummy records (of functions that were never compiled) have no counters.
        let numbers = self.counters.get(&header.name_hash).copied().unwrap_or_default();
        let mut sums = Sums { function, numbers, known: HashMap::new() };
        let mut inner = BTreeSet::new();
        let mut first: Option<(Place, usize)> = None;
        for region in function.regions.iter().filter(|region| region.kind == RegionKind::Code) {
            let Some(file) = files.get(region.file_id).filter(|file| is_own(file)) else { continue };
            let location = (file.clone(), location(&region.loc));
            let sum = sums.of(region.count)?;
            let next = self.sums.len();
            let number = *self.sums.entry(sum).or_insert(next);
            self.gathered[0].entry(location.clone()).or_default().sums.insert(number);
            inner.insert(location.clone());
            if first.as_ref().is_none_or(|(first, _)| location < *first) {
                first = Some((location, number));
            }
        }
        let Some((location, number)) = first else { return Ok(()) };
        let name = self.info.prof_names.get(&header.name_hash).map(|name| plain_name(name));
        let gathered = self.gathered[1].entry(location).or_default();
        gathered.sums.insert(number);
        gathered.names.extend(name);
        gathered.inner.extend(inner);
        Ok(())
    }

    fn finish(self) -> Map {
        let [regions, functions] = self.gathered;
        let files: BTreeSet<&PathBuf> = regions.keys().map(|(file, _)| file).collect();
        let files: Vec<PathBuf> = files.into_iter().cloned().collect();
        let mut sums = vec![Sum::new(); self.sums.len()];
        for (sum, number) in self.sums {
            sums[number] = sum;
        }
        let mut map = Map { files, sums: Arc::new(sums), ..Map::default() };
        map.regions_of = vec![Vec::new(); map.sums.len()];
        let numbers: BTreeMap<&Place, usize> = regions.keys().zip(0..).collect();
        for ((file, location), gathered) in &regions {
            let file = map.files.binary_search(file).expect("all files of regions are there");
            for sum in &gathered.sums {
                map.regions_of[*sum].push(map.regions.len());
            }
            map.regions.push(Region {
                file,
                location: *location,
                sums: gathered.sums.iter().copied().collect(),
            });
        }
        for gathered in functions.into_values() {
            let name = gathered.names.into_iter().min_by_key(|name| name.len()).unwrap_or_default();
            let regions = gathered.inner.iter().map(|location| numbers[location]).collect();
            map.functions.push(Function { name, regions });
        }
        map
    }
}

/// The sums of one function's regions.
struct Sums<'s> {
    function: &'s FunctionRecordV3,
    numbers: &'s [u64],
    known: HashMap<usize, BTreeMap<u32, i64>>,
}

impl Sums<'_> {
    fn of(&mut self, counter: Counter) -> Result<Sum> {
        let sum = self.parts(counter, self.function.expressions.len())?;
        Ok(sum.into_iter().filter(|(_, factor)| *factor != 0).collect())
    }

    /// A counter as a sum; `depth` bounds the nesting of expressions.
    fn parts(&mut self, counter: Counter, depth: usize) -> Result<BTreeMap<u32, i64>> {
        let id = counter.id as usize;
        match counter.kind {
            CounterType::Zero => Ok(BTreeMap::new()),
            CounterType::ProfileInstrumentation => {
                // Counters of removed code don't exist, and count nothing.
                let number = self.numbers.get(id).and_then(|number| number.checked_sub(1));
                Ok(number.map(|number| (number as u32, 1)).into_iter().collect())
            }
            CounterType::Expression(_) => {
                if let Some(known) = self.known.get(&id) {
                    return Ok(known.clone());
                }
                let (Some(expression), Some(depth)) =
                    (self.function.expressions.get(id), depth.checked_sub(1))
                else {
                    bail!("the counters of the harness refer to each other in a circle");
                };
                let sign = if expression.kind == ExprKind::Add { 1 } else { -1 };
                let mut sum = self.parts(expression.lhs, depth)?;
                for (number, factor) in self.parts(expression.rhs, depth)? {
                    *sum.entry(number).or_default() += sign * factor;
                }
                self.known.insert(id, sum.clone());
                Ok(sum)
            }
        }
    }
}

fn location(source: &SourceLocation) -> RegionEvent {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    RegionEvent {
        line: number(source.line_start),
        column: number(source.column_start),
        end_line: number(source.line_end),
        end_column: number(source.column_end),
    }
}

/// A function's path in the source, from its symbol: without hashes.
fn plain_name(mangled: &str) -> String {
    // The name of a local function comes after the name of its object file.
    let symbol = mangled.rsplit([':', ';']).next().unwrap_or(mangled);
    format!("{:#}", rustc_demangle::demangle(symbol))
}
