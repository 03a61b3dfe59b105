//! The types whose private fields inputs set without a word of the user's about them.

use std::collections::BTreeSet;

use target_strategies::logic::ir::{Data, DataId, Param, Refined, Sort};

use crate::frontend::data::DataTable;

/// The paths of the types in parameters that have private fields, and neither a view nor a function that builds them;
/// sorted.
pub fn unguarded(params: &[Param], table: &DataTable<'_>, data: &[Data]) -> Vec<String> {
    let mut paths = BTreeSet::new();
    let mut seen: BTreeSet<DataId> = BTreeSet::new();
    let mut waiting: Vec<&Refined> = params.iter().map(|param| &param.refined).collect();
    while let Some(refined) = waiting.pop() {
        waiting.extend(refined.inner());
        let Sort::Data(id) = refined.sort else { continue };
        if !seen.insert(id) {
            continue;
        }
        if let Some(item) = table.declared_item(id)
            && !item.inside.is_empty()
            && refined.clauses.is_empty()
        {
            paths.insert(item.path.clone());
        }
        waiting.extend(
            data[id.0 as usize].ctors.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined),
        );
    }
    paths.into_iter().collect()
}
