//! Finds Node.js and the npm package `binnacle`.

use crate::{Error, Result};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main_of(package: &Path) -> PathBuf {
    package.join("dist").join("cli").join("main.js")
}

fn environment(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the program Node.js: `BINNACLE_NODE`, or `node`, which is looked for in PATH when it starts.
pub(crate) fn node() -> OsString {
    environment("BINNACLE_NODE").unwrap_or_else(|| "node".into())
}

/// Says why Node.js does not start.
pub(crate) fn no_node(node: &OsString, error: std::io::Error) -> Error {
    Error::Server(match environment("BINNACLE_NODE") {
        Some(_) => format!("BINNACLE_NODE is {}, which does not start: {error}", node.to_string_lossy()),
        None => format!("node does not start: {error}. Install Node.js 20.19 or newer, or set BINNACLE_NODE to the program"),
    })
}

/// Returns the module to run: of `BINNACLE_PATH`, of node_modules here or in a folder above, or of npm's global packages.
pub(crate) fn main_module() -> Result<PathBuf> {
    let here = env::current_dir().map_err(|error| Error::Server(error.to_string()))?;
    find_main(environment("BINNACLE_PATH"), &here, global_modules)
}

pub(crate) fn find_main(named: Option<OsString>, here: &Path, global: impl Fn() -> Option<PathBuf>) -> Result<PathBuf> {
    if let Some(named) = named {
        let main = main_of(Path::new(&named));
        return if main.is_file() {
            Ok(main)
        } else {
            Err(Error::Server(format!(
                "BINNACLE_PATH is {}, where there is no dist/cli/main.js: it must be the folder of the package binnacle",
                named.to_string_lossy()
            )))
        };
    }
    let local = here.ancestors().map(|folder| folder.join("node_modules"));
    let found = local.map(|modules| main_of(&modules.join("binnacle"))).find(|main| main.is_file());
    found.or_else(|| global().map(|modules| main_of(&modules.join("binnacle"))).filter(|main| main.is_file())).ok_or_else(|| {
        Error::Server(format!(
            "binnacle is not installed in node_modules of {} or of a folder above it, nor globally: \
                 run 'npm install binnacle', or set BINNACLE_PATH to the folder of the package",
            here.display()
        ))
    })
}

fn global_modules() -> Option<PathBuf> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(npm).args(["root", "--global"]).output().ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(printed.trim())).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn finds_the_package() {
        let folder = env::temp_dir().join(format!("binnacle-locate-{}", std::process::id()));
        let below = folder.join("src").join("deep");
        fs::create_dir_all(&below).unwrap();
        let package = folder.join("node_modules").join("binnacle");
        let missing = find_main(None, &below, || None).unwrap_err().to_string();
        assert!(missing.contains("run 'npm install binnacle'"), "{missing}");
        let main = main_of(&package);
        fs::create_dir_all(main.parent().unwrap()).unwrap();
        fs::write(&main, "").unwrap();
        assert_eq!(find_main(None, &below, || None).unwrap(), main);
        assert_eq!(find_main(None, Path::new("/"), || Some(folder.join("node_modules"))).unwrap(), main);
        assert_eq!(find_main(Some(package.into()), Path::new("/"), || None).unwrap(), main);
        let wrong = find_main(Some(below.into()), &folder, || None).unwrap_err().to_string();
        assert!(wrong.contains("must be the folder of the package binnacle"), "{wrong}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
