//! The pages behind the codes, `docs/codes/CODE.md`.

use include_dir::{Dir, include_dir};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/codes");

/// Returns the page of a code, by its id.
pub fn page(id: &str) -> Option<&'static str> {
    PAGES.get_file(format!("{id}.md"))?.contents_utf8()
}
