//! The server for editors, asked as an editor asks it.

mod basics;
mod editor;
