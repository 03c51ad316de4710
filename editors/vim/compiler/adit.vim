" :make lists what is found in this rulebook.
if exists('current_compiler')
  finish
endif
let current_compiler = 'adit'
CompilerSet makeprg=adit\ --plain\ check\ %:S;adit\ --plain\ lint\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror[%*[A-Z0-9]]:\ %m,%f:%l:%c:\ %tarning[%*[A-Z0-9]]:\ %m,%-G%.%#
