//! What one command may read in all.

use super::{Asked, Checked, Loaded, read_with, ready};
use crate::cli::CliError;
use crate::diagnostic::codes;
use crate::pipeline::Memory;

/// Text that one command may read in all.
const MOST_TEXT: usize = 16 << 20;

/// Text that one command looks at again and again, for other readings, tables and amendments, and what was read of it.
#[derive(Debug)]
pub struct Budget {
    left: usize,
    memory: Memory,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            left: MOST_TEXT,
            memory: Memory::default(),
        }
    }
}

impl Budget {
    /// Whether nothing more may be read.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// What was read, for rules that take nothing off.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Reads and checks rules, and takes off their text.
    pub fn read(&mut self, asked: &Asked) -> Result<Checked, CliError> {
        let checked = read_with(asked, &self.memory)?;
        let texts = checked.sources.iter().map(|(_, source)| source.text.len());
        self.left = self.left.saturating_sub(texts.sum());
        Ok(checked)
    }

    /// Reads rules for another table; the finding says that there were too many.
    pub fn load(&mut self, asked: &Asked) -> Result<Loaded, CliError> {
        if self.is_empty() {
            let message = "too many numbers of players are named to look at them all";
            let help = "ask for one of them: `--players N`";
            return Err(CliError::new(codes::OUT_OF_WORK, message, help));
        }
        ready(self.read(asked)?)
    }
}
