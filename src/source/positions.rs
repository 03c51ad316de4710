//! Places as editors count them: from zero, columns in the units that were agreed on.

use super::Source;

/// What columns are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// Bytes.
    Utf8,
    /// Code units of UTF-16.
    #[default]
    Utf16,
}

impl Source {
    /// Returns line and column of a byte offset.
    pub fn counted(&self, offset: u32, units: Units) -> (u32, u32) {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let line = line.saturating_sub(1);
        let start = self.line_starts.get(line).map_or(0, |it| *it as usize);
        let end = (offset as usize).min(self.text.len());
        let before = self.text.as_bytes().get(start..end).unwrap_or_default();
        let column = match units {
            Units::Utf8 => before.len(),
            Units::Utf16 => String::from_utf8_lossy(before).encode_utf16().count(),
        };
        let fit = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        (fit(line), fit(column))
    }

    /// Returns the byte offset of a line and a column; one behind the end of its line stands for that end.
    pub fn offset(&self, line: u32, column: u32, units: Units) -> usize {
        let line = line as usize;
        let Some(start) = self.line_starts.get(line) else {
            return self.text.len();
        };
        let rest = self.text.get(*start as usize..).unwrap_or("");
        let whole = rest.split('\n').next().unwrap_or("");
        let whole = whole.strip_suffix('\r').unwrap_or(whole);
        let mut counted = 0;
        for (at, letter) in whole.char_indices() {
            let width = match units {
                Units::Utf8 => letter.len_utf8(),
                Units::Utf16 => letter.len_utf16(),
            };
            // What lies inside a letter stands for its start.
            if counted + width > column as usize {
                return *start as usize + at;
            }
            counted += width;
        }
        *start as usize + whole.len()
    }
}
