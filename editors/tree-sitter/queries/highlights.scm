; Made from grammar/rules.pest: see tests/it/grammars.
["action" "add" "aside" "component" "define" "edition" "ending" "enum" "event" "except" "excludes" "expansion" "extend" "flow" "forbid" "game" "hide" "history" "insert" "invariant" "measure" "needs" "option" "part" "permit" "picture" "position" "question" "record" "remove" "replace" "resolve" "ruling" "sentences" "set" "show" "space" "study" "supply" "table" "track" "variant" "zone"] @keyword
["again" "by" "choose" "clear" "draw" "end" "exchange" "for" "if" "lay" "let" (may) "move" "next" "pack" "ranking" "repeat" "return" "shuffle" "step" "tell" "together" "turns" "while" "window" "winner"] @keyword
["and" "count" "default" (is_default) "empty" "every" "filled" "in" "least" "max" "min" "mod" "most" "no" (answer_no) "not" "or" "product" "some" "sum"] @keyword.operator
["after" "all" "allow" "answers" "area" "as" "at" (backwards) (bag) "because" "before" (lowest) "can" "cases" (chequered) "choice" "cite" (cyclic) "depth" "do" "drawn" "each" "else" "ended" "exactly" "expect" "fields" "find" "formerly" "from" "given" "ground" "groups" (hidden) "illegal" "into" "label" "legal" "line" (many) "mark" "meeting" "never" "of" "offers" "on" (once) (one) (open) "order" "otherwise" (pile) "players" "plies" "reach" "readings" "require" "rows" "seats" "seed" "seen" "sees" "source" "status" "stop" "then" "to" "told" "top" "towards" "turn" "turned" "under" "until" "up" "values" "version" "via" "walk" "weighted" "when" "where" "with" "within"] @keyword
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," "." ":" "|"] @punctuation.delimiter
["!" "!=" "&" "*" "+" "+=" "-" "-=" "->" ".." "/" "<" "<=" "=" "==" "=>" ">" ">=" "≠" "≤" "≥"] @operator

(game . (ident) @module)
(amendment (flavour) . (ident) @module)
(enumeration . (ident) @type)
(record . (ident) @type)
(component . (ident) @type)
(space . (ident) @type)
(setting (intent) . (ident) @variable)
(zone . (ident) @variable)
(track . (ident) @variable)
(table . (ident) @variable)
(define . (ident) @function)
(event . (ident) @function)
(action . (ident) @function)
(flow . (ident) @function)
(ending . (ident) @function)
(invariant . (ident) @function)
(measure . (ident) @function)
(ruling . (ruling_id) @label)
(study . (ruling_id) @label)
(position . (ident) @label)

(truth) @constant.builtin
(none) @constant.builtin
(number) @number
(string) @string
(drawing) @string
(escape) @string.escape
(hole ["{" "}"] @punctuation.special)
(sentence) @string.special
(doc) @comment.documentation
(comment) @comment
(named (ident) @function (args))
(field (word) @property)
