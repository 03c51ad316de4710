" Vim syntax of Adit rulebooks. Made from grammar/rules.pest: see tests/it/grammars.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax sync minlines=50

syntax keyword aditOperator default product filled count empty every least most some and max min mod not sum in no or
syntax keyword aditClause otherwise because groups return status after label order reach until where cite else from then walk when with can for via by if of to
syntax keyword aditValue false none true
syntax match aditNumber /\v<\d+>/
syntax match aditCall /\v<[a-zA-Z]\w*\(@=/
syntax match aditField /\v%(\w|[)\]])@1<=\.\zs[a-zA-Z]\w*/
syntax match aditClause /\v\.@1<!<%(backwards|chequered|formerly|readings|weighted|answers|exactly|illegal|meeting|players|require|towards|version|before|bottom|choice|cyclic|expect|fields|ground|hidden|offers|source|turned|values|within|allow|cases|depth|drawn|ended|given|legal|never|plies|seats|under|area|each|find|into|line|many|mark|once|open|pile|rows|seed|seen|sees|stop|told|turn|all|bag|one|top|as|at|do|on|up)>%(\s+%(%(default|product|filled|count|empty|every|least|most|some|and|max|min|mod|not|sum|in|no|or)>)@!["a-zA-Z0-9_{(]|\s*$)@=/
syntax match aditSentence /\v<[a-zA-Z]+\-[0-9]+%([a-zA-Z0-9]|_)*/
syntax match aditVerb /\v%(^|[{}]|\t|[{}] |  |\=\> |<may )@5<=%(exchange|together|ranking|shuffle|choose|repeat|return|window|winner|again|clear|track|turns|while|draw|move|next|pack|show|step|tell|end|for|lay|let|may|by|if)>%(\s*%(\+\=|\-\=|\(|\.|\=|\[))@!/
syntax match aditItem /\v%(^%(expansion|edition|variant|game)>|%(^|[{}]|\t|[{}] |  |\=\> |<may )@5<=%(expansion|edition|variant|game)>%(\s*%(\+\=|\-\=|\(|\.|\=|\[))@!)/ nextgroup=aditBook skipwhite
syntax match aditItem /\v%(^%(sentences|excludes|history|picture|replace|resolve|except|extend|forbid|insert|permit|remove|supply|aside|needs|hide|part|show|add|set)>|%(^|[{}]|\t|[{}] |  |\=\> |<may )@5<=%(sentences|excludes|history|picture|replace|resolve|except|extend|forbid|insert|permit|remove|supply|aside|needs|hide|part|show|add|set)>%(\s*%(\+\=|\-\=|\(|\.|\=|\[))@!)/
syntax match aditItem /\v%(^%(component|record|space|enum)>|%(^|[{}]|\t|[{}] |  |\=\> |<may )@5<=%(component|record|space|enum)>%(\s*%(\+\=|\-\=|\(|\.|\=|\[))@!)/ nextgroup=aditKind skipwhite
syntax match aditItem /\v%(^%(question|option|table|track|zone)>|%(^|[{}]|\t|[{}] |  |\=\> |<may )@5<=%(question|option|table|track|zone)>%(\s*%(\+\=|\-\=|\(|\.|\=|\[))@!)/ nextgroup=aditPlace skipwhite
syntax match aditItem /\v%(^%(invariant|measure|action|define|ending|event|flow)>|%(^|[{}]|\t|[{}] |  |\=\> |<may )@5<=%(invariant|measure|action|define|ending|event|flow)>%(\s*%(\+\=|\-\=|\(|\.|\=|\[))@!)/ nextgroup=aditRule skipwhite
syntax match aditItem /\v%(^%(position|ruling|study)>|%(^|[{}]|\t|[{}] |  |\=\> |<may )@5<=%(position|ruling|study)>%(\s*%(\+\=|\-\=|\(|\.|\=|\[))@!)/ nextgroup=aditCase skipwhite
syntax match aditRule /\v[a-zA-Z][a-zA-Z0-9_-]*/ contained
syntax match aditKind /\v[a-zA-Z][a-zA-Z0-9_-]*/ contained
syntax match aditPlace /\v[a-zA-Z][a-zA-Z0-9_-]*/ contained
syntax match aditBook /\v[a-zA-Z][a-zA-Z0-9_-]*/ contained
syntax match aditCase /\v[a-zA-Z][a-zA-Z0-9_-]*/ contained
syntax region aditHole matchgroup=aditHoleSign start=/{/ end=/}/ contained oneline contains=TOP
syntax match aditEscape /\v%(\\%("|\\|n)|\{\{|\}\})/ contained
syntax region aditText start=/"/ skip=/\\"/ end=/"/ oneline contains=aditEscape,aditHole
syntax region aditText start=/"""/ end=/"""/
syntax match aditComment /\/\/.*$/ contains=@Spell
syntax match aditDoc /\/\/\/\/\@!.*$/ contains=@Spell

highlight default link aditItem Structure
highlight default link aditVerb Statement
highlight default link aditClause Keyword
highlight default link aditOperator Operator
highlight default link aditValue Boolean
highlight default link aditNumber Number
highlight default link aditText String
highlight default link aditEscape SpecialChar
highlight default link aditSentence Constant
highlight default link aditDoc SpecialComment
highlight default link aditComment Comment
highlight default link aditRule Function
highlight default link aditKind Type
highlight default link aditPlace Identifier
highlight default link aditBook Title
highlight default link aditCase Label
highlight default link aditField Identifier
highlight default link aditHoleSign Special
highlight default link aditCall Function

let b:current_syntax = 'adit'
