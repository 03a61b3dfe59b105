//! The user's cache: a folder for files that every project of this user shares.

use std::env;
use std::path::PathBuf;

/// The variable that names the folder.
pub const VARIABLE: &str = "CARGO_TARGET_CACHE";

/// The folder; `None` if the system names no place for it. It may not exist yet.
pub fn folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = set(VARIABLE) {
        return std::path::absolute(folder).ok();
    }
    let of_system = if cfg!(windows) {
        set("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        env::home_dir().map(|home| home.join("Library").join("Caches"))
    } else {
        // The specification of this variable says to ignore relative paths.
        let xdg = set("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
        xdg.or_else(|| env::home_dir().map(|home| home.join(".cache")))
    };
    of_system.filter(|folder| folder.is_absolute()).map(|folder| folder.join("cargo-target"))
}
