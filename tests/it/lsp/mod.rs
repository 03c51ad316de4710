//! The server for editors, asked as an editor asks it.

mod basics;
mod beside;
mod broken;
mod completed;
mod editor;
mod edits;
mod lens;
mod named;
mod renamed;
mod shown;
mod speed;
mod wire;
