//! The `adit` program: a thin door to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    adit::cli::complete();
    adit::cli::run(std::env::args_os(), adit::cli::Host::system()).into()
}
