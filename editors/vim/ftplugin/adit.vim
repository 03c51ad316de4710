" How rulebooks are written: four blanks, and // begins a comment.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=//\ %s comments=:///,:// shiftwidth=4 softtabstop=4 expandtab iskeyword+=_
let b:undo_ftplugin = 'setlocal commentstring< comments< shiftwidth< softtabstop< expandtab< iskeyword<'
