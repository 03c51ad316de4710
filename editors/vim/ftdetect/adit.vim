" Made from grammar/rules.pest: see tests/it/grammars.
autocmd BufNewFile,BufRead *.rules if (line('$') == 1 && getline(1) ==# '')
    \ || search('\v^%(component|expansion|invariant|sentences|excludes|position|question|edition|history|measure|picture|replace|resolve|variant|action|define|ending|except|extend|forbid|insert|option|permit|record|remove|ruling|supply|aside|event|needs|space|study|table|track|enum|flow|game|hide|part|show|zone|add|set)\s', 'nw') | set filetype=adit | endif
