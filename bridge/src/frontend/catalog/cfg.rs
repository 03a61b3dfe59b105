//! Evaluates `#[cfg(..)]` by the settings of the user's build.
//!
//! Reads the lines of `rustc --print cfg`. `test` is never set, and unknown settings are unset, as in rustc.

use std::collections::BTreeSet;

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// The settings of a build: names such as `unix`, and pairs such as `feature = "std"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cfg {
    set: BTreeSet<(String, Option<String>)>,
}

impl Cfg {
    /// Reads the output of `rustc --print cfg`: one setting per line, `unix` or `target_os="linux"`.
    pub fn parse(text: &str) -> Cfg {
        let setting = |line: &str| match line.split_once('=') {
            None => (line.trim().to_string(), None),
            Some((name, value)) => {
                let value = value.trim();
                let bare = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value);
                (name.trim().to_string(), Some(bare.to_string()))
            }
        };
        Cfg { set: text.lines().filter(|line| !line.trim().is_empty()).map(setting).collect() }
    }

    /// The same with these features of the package enabled.
    pub fn with_features<S: AsRef<str>>(mut self, features: impl IntoIterator<Item = S>) -> Cfg {
        for feature in features {
            self.set.insert(("feature".to_string(), Some(feature.as_ref().to_string())));
        }
        self
    }

    /// Whether a predicate, the text in the parentheses of `cfg(..)`, holds.
    fn holds(&self, predicate: &Meta) -> bool {
        match predicate {
            Meta::Path(path) => match path.get_ident().map(ToString::to_string) {
                Some(name) => name == "true" || (name != "test" && self.set.contains(&(name, None))),
                None => false,
            },
            Meta::NameValue(pair) => match (pair.path.get_ident(), string_of(&pair.value)) {
                (Some(name), Some(value)) => self.set.contains(&(name.to_string(), Some(value))),
                _ => false,
            },
            Meta::List(list) => {
                let Ok(inner) = list.parse_args_with(Predicates::parse_terminated) else { return false };
                match list.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("all") => inner.iter().all(|p| self.holds(p)),
                    Some("any") => inner.iter().any(|p| self.holds(p)),
                    Some("not") => inner.len() == 1 && !self.holds(&inner[0]),
                    _ => false,
                }
            }
        }
    }

    /// The attributes that apply, with `cfg_attr` resolved; `None` if a `cfg` removes the item.
    pub(super) fn applied(&self, attributes: &[Attribute]) -> Option<Vec<Meta>> {
        let mut applied = Vec::new();
        let mut pending: Vec<Meta> = attributes.iter().rev().map(|a| a.meta.clone()).collect();
        while let Some(meta) = pending.pop() {
            let Meta::List(list) = &meta else {
                applied.push(meta);
                continue;
            };
            if list.path.is_ident("cfg") {
                // `cfg(true)` and `cfg(false)` are literals, not words.
                let kept = match list.parse_args::<syn::LitBool>() {
                    Ok(literal) => literal.value,
                    Err(_) => list.parse_args::<Meta>().is_ok_and(|p| self.holds(&p)),
                };
                if !kept {
                    return None;
                }
            } else if list.path.is_ident("cfg_attr") {
                let parts = list.parse_args_with(Predicates::parse_terminated).unwrap_or_default();
                let mut parts = parts.into_iter();
                if parts.next().is_some_and(|p| self.holds(&p)) {
                    pending.extend(parts.rev());
                }
            } else {
                applied.push(meta);
            }
        }
        Some(applied)
    }

    /// Whether no `cfg` removes the item.
    pub(super) fn keeps(&self, attributes: &[Attribute]) -> bool {
        self.applied(attributes).is_some()
    }
}

type Predicates = Punctuated<Meta, Token![,]>;

/// The text of a string literal.
pub(super) fn string_of(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(attribute: &str) -> bool {
        let cfg = Cfg::parse("unix\ntarget_os=\"linux\"\n\ndebug_assertions\ntest\n").with_features(["std"]);
        let item: syn::ItemStruct =
            syn::parse_str(&format!("{attribute} struct S;")).expect("the test's own text parses");
        cfg.keeps(&item.attrs)
    }

    #[test]
    fn predicates_are_evaluated_as_rustc_does() {
        for yes in [
            "",
            "#[cfg(unix)]",
            "#[cfg(target_os = \"linux\")]",
            "#[cfg(feature = \"std\")]",
            "#[cfg(not(test))]",
            "#[cfg(not(miri))]",
            "#[cfg(all())]",
            "#[cfg(all(unix, any(windows, debug_assertions)))]",
            "#[cfg(true)]",
            "#[cfg_attr(windows, cfg(false))]",
            "#[cfg_attr(unix, doc = \"x\", cfg(unix))]",
        ] {
            assert!(kept(yes), "{yes}");
        }
        for no in [
            "#[cfg(test)]",
            "#[cfg(windows)]",
            "#[cfg(any())]",
            "#[cfg(unix)] #[cfg(windows)]",
            "#[cfg(feature = \"alloc\")]",
            "#[cfg(false)]",
            "#[cfg(version(\"1.80\"))]",
            "#[cfg_attr(unix, cfg(windows))]",
            "#[cfg_attr(unix, cfg_attr(unix, cfg(test)))]",
        ] {
            assert!(!kept(no), "{no}");
        }
    }
}
