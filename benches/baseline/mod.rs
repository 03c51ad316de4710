//! The benchmark games, written by hand.
//!
//! They say how fast plain Rust plays them, and the tests use them as a second opinion on the
//! rule files. So they share nothing with the library: arrays, loops over cells, a stack for the
//! flood fill, as on any normal day.

pub mod carcassonne;
pub mod chance;
pub mod connect_four;
pub mod tunnels;
