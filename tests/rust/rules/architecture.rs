//! Who may know whom: the import order of the crate, checked on its source.

use std::path::{Path, PathBuf};

/// A module may use those before it, never those after it.
const ORDER: [&str; 16] = [
    "types", "record", "board", "rules", "threats", "solve", "eval", "network", "search", "prove", "hidden",
    "batch", "learn", "lab", "prelude", "python",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The crate's modules that a source names as `crate::module`.
fn uses(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1))
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
        .collect()
}

#[test]
fn modules_only_know_those_before_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rust/src");
    let mut seen = 0;
    for file in sources(&root) {
        let relative = file.strip_prefix(&root).expect("inside the crate");
        let module = relative.iter().next().expect("a name").to_string_lossy().replace(".rs", "");
        if module == "lib" {
            continue;
        }
        let place = |name: &str| ORDER.iter().position(|&m| m == name);
        let own = place(&module).unwrap_or_else(|| panic!("{module} has no place in the order"));
        let text = std::fs::read_to_string(&file).expect("readable");
        for used in uses(&text) {
            let other = place(used).unwrap_or_else(|| panic!("{}: crate::{used}", relative.display()));
            assert!(other <= own, "{} uses crate::{used}", relative.display());
            seen += 1;
        }
        assert!(module == "python" || !text.contains("pyo3"), "{} knows pyo3", relative.display());
    }
    assert!(seen > 30, "only {seen} uses found: the check itself is broken");
}

/// The names of the structs and enums under `#[pyclass]` in a source.
fn classes(text: &str) -> Vec<&str> {
    let after = text.split("#[pyclass").skip(1);
    after
        .map(|rest| {
            let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.find(|&word| word == "struct" || word == "enum").expect("a type under #[pyclass]");
            words.next().expect("a name")
        })
        .collect()
}

/// A class whose alignment nobody checks is found only by a CPU that traps.
#[test]
fn every_python_class_is_checked_to_fit_pythons_memory() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rust/src/python");
    let checks = std::fs::read_to_string(root.join("mod.rs")).expect("readable");
    let mut seen = 0;
    for file in sources(&root) {
        let text = std::fs::read_to_string(&file).expect("readable");
        for class in classes(&text) {
            let is_checked = checks.contains(&format!("::{class}>();"));
            assert!(is_checked, "{}: fits_python_memory is not asked of {class}", file.display());
            seen += 1;
        }
    }
    assert!(seen >= 4, "only {seen} classes found: the check itself is broken");
}
