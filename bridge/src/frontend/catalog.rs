//! The items of the user's crate, found in its source: modules, types, functions and methods, with their public paths.
//!
//! [`scan`] reads Rust files with syn, follows `mod` and `use`, and evaluates `cfg`. It builds nothing and knows
//! nothing about specs. [`Catalog::function`], [`Catalog::type_`] and [`Catalog::constructor`] find items by the paths
//! that users write. Items defined by macros are invisible.

mod bounds;
mod cfg;
mod constant;
mod constants;
mod contain;
mod declare;
pub mod foreign;
mod functions;
pub mod guards;
mod hidden;
mod imports;
mod instance;
mod items;
mod length;
mod literals;
#[cfg(test)]
mod listing;
mod lookup;
mod lower;
mod members;
mod modules;
mod names;
mod open;
mod projected;
mod public;
mod reach;
mod rust_type;
mod scan;
mod scanned;
mod show;
mod source;
mod traits;

pub use cfg::Cfg;
pub use constant::Constant;
pub use hidden::Hidden;
pub use instance::{
    Instance, anonymous_bounds, default_instance, further_instances, is_in_bounds_of_others, lacks_bounds,
};
pub use items::{Access, CtorItem, FieldItem, FnItem, MethodItem, ParamItem, TraitItem, TypeItem};
pub use literals::Body;
pub use lookup::{FnLookup, NotAFunction, TypeLookup};
pub use lower::substitute;
pub use members::MemberCatalog;
pub use modules::ScanProblem;
pub use names::Names;
pub use open::{Change, Opening, inline_modules, opened};
pub use projected::projection;
pub use rust_type::{ConstantKind, FunctionType, Length, RustType, TypeId};
pub use scan::{scan, scan_text};
pub use scanned::Catalog;
