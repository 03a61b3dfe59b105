//! The smallest set of conditions that together separate inputs that fail from those that pass.

/// For each condition, which inputs satisfy it.
pub struct Table {
    /// By condition, for each input that passes.
    pub passed: Vec<Vec<bool>>,
    /// By condition, for each input that fails.
    pub failed: Vec<Vec<bool>>,
}

/// Conditions that no failing input satisfies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separation {
    /// Their positions.
    pub conditions: Vec<usize>,
    /// Number of passing inputs that break one of them.
    pub n_excluded: usize,
}

/// Maximum number of conditions in a separation.
const MOST: usize = 3;

/// The smallest separation that excludes no passing input, or else one that excludes few; `None` if there is none.
pub fn separate(table: &Table) -> Option<Separation> {
    let n_conditions = table.passed.len();
    // Of inputs that all fail, nothing separates the others.
    if table.passed.first().is_none_or(Vec::is_empty) {
        return None;
    }
    let necessary: Vec<usize> =
        (0..n_conditions).filter(|condition| table.passed[*condition].iter().all(|holds| *holds)).collect();
    if let Some(conditions) = smallest(table, &necessary) {
        return Some(Separation { conditions, n_excluded: 0 });
    }
    let n_excluded = |condition: &usize| table.passed[*condition].iter().filter(|holds| !**holds).count();
    let alone = (0..n_conditions).filter(|condition| excludes_all(table, &[*condition]));
    let best = alone.min_by_key(n_excluded)?;
    let n_excluded = n_excluded(&best);
    // A condition that excludes most of what passes explains nothing.
    (2 * n_excluded <= table.passed[best].len()).then_some(Separation { conditions: vec![best], n_excluded })
}

/// The first of the smallest sets of these conditions of which each failing input breaks one.
fn smallest(table: &Table, among: &[usize]) -> Option<Vec<usize>> {
    (1..=MOST).find_map(|size| first(table, among, size, &mut Vec::new()))
}

fn first(table: &Table, among: &[usize], size: usize, chosen: &mut Vec<usize>) -> Option<Vec<usize>> {
    if size == 0 {
        return excludes_all(table, chosen).then(|| chosen.clone());
    }
    for (index, condition) in among.iter().enumerate() {
        // A condition that excludes nothing adds nothing.
        if table.failed[*condition].iter().all(|holds| *holds) {
            continue;
        }
        chosen.push(*condition);
        let found = first(table, &among[index + 1..], size - 1, chosen);
        chosen.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

fn excludes_all(table: &Table, conditions: &[usize]) -> bool {
    let n_failed = table.failed.first().map_or(0, Vec::len);
    (0..n_failed).all(|input| conditions.iter().any(|condition| !table.failed[*condition][input]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(passed: &[&[bool]], failed: &[&[bool]]) -> Table {
        let rows = |rows: &[&[bool]]| rows.iter().map(|row| row.to_vec()).collect();
        Table { passed: rows(passed), failed: rows(failed) }
    }

    #[test]
    fn the_smallest_set_without_loss_is_found() {
        let (yes, no) = (true, false);
        let all = table(&[&[yes, yes], &[yes, yes], &[yes, no]], &[&[no, yes], &[yes, no], &[no, no]]);
        let found = separate(&all);
        assert_eq!(found, Some(Separation { conditions: vec![0, 1], n_excluded: 0 }));
        let alone = table(&[&[yes, yes], &[yes, yes]], &[&[no, yes], &[no, no]]);
        assert_eq!(separate(&alone), Some(Separation { conditions: vec![1], n_excluded: 0 }));
    }

    #[test]
    fn a_loss_is_told_and_a_great_one_refused() {
        let (yes, no) = (true, false);
        let lossy = table(&[&[yes, yes, no]], &[&[no]]);
        assert_eq!(separate(&lossy), Some(Separation { conditions: vec![0], n_excluded: 1 }));
        assert_eq!(separate(&table(&[&[yes, no, no]], &[&[no]])), None);
        assert_eq!(separate(&table(&[&[yes, yes]], &[&[yes]])), None);
        assert_eq!(separate(&table(&[&[]], &[&[no]])), None);
    }
}
