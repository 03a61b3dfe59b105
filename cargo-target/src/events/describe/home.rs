//! Where a test to paste compiles, and the paths in it.

use target_bridge::frontend::subject::Call;

use super::Describer;

/// The place of a test to paste.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    /// It names public items only, so it compiles anywhere.
    Anywhere,
    /// Inside this module of the crate, whose private items it names.
    Inside(String),
    /// It names private items of this other member of the workspace, so it compiles nowhere.
    Nowhere(String),
}

impl Describer<'_> {
    /// A path as in reports. A path with private names can only be pasted into the crate, so it omits the crate's name.
    pub(super) fn path(&self, path: &str) -> String {
        if self.subject.openings.is_empty() {
            return path.to_owned();
        }
        let own = format!("{}::", self.crate_name);
        let is_start =
            |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let mut written = String::new();
        let mut rest = path;
        while let Some((before, after)) = rest.split_once(own.as_str()) {
            written.push_str(before);
            written.push_str(if is_start(&written) { "crate::" } else { &own });
            rest = after;
        }
        written + rest
    }

    /// The place of the function's tests. Private items are visible in the function's own module.
    pub fn home(&self) -> Home {
        if let Some(member) = self.subject.opened_members.first() {
            return Home::Nowhere(member.clone());
        }
        if self.subject.openings.is_empty() {
            return Home::Anywhere;
        }
        let Call::Path { path, .. } = &self.subject.call else { return Home::Inside("crate".to_owned()) };
        let path = self.path(path);
        let Some((scope, _)) = path.rsplit_once("::") else { return Home::Anywhere };
        // A method's path has its type.
        let is_type = |name: &&str| name.starts_with(char::is_uppercase);
        let modules: Vec<&str> = scope.split("::").take_while(|name| !is_type(name)).collect();
        Home::Inside(modules.join("::"))
    }
}
