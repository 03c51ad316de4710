//! The syntax file of Vim.

use super::grammar::{Grammar, pattern};
use super::lines::{
    any, items_by_name, open_clauses, operators, reserved_clauses, sentence, signs_of_a_name,
};
use super::roles::{Role, Words};

/// Where an item or a statement may begin.
const BEGIN: &str = r"%(^|[{}]|\t|[{}] |  |\=\> |<may )@5<=";

pub fn syntax_vim(grammar: &Grammar) -> String {
    let words = Words::of(grammar);
    let name = signs_of_a_name(grammar);
    let name: Vec<String> = name.iter().map(|it| very_magic(it)).collect();
    let is_name = format!(r"%(\s*%({}))@!", any(&name, "|"));
    let infix = any(operators(&words), "|");
    let mut text = "\" Vim syntax of Adit rulebooks. Made from grammar/rules.pest: see tests/it/grammars.\n\
        if exists('b:current_syntax')\n  finish\nendif\nsyntax case match\nsyntax sync minlines=50\n\n"
        .to_owned();
    let keywords = [
        ("aditOperator", any(operators(&words), " ")),
        ("aditClause", any(reserved_clauses(&words), " ")),
        ("aditValue", any(&words.values, " ")),
    ];
    for (group, words) in keywords {
        text += &format!("syntax keyword {group} {words}\n");
    }
    let letters = r"[a-zA-Z]\w*";
    let clause = format!(
        r#"\.@1<!<%({})>%(\s+%(%({infix})>)@!["a-zA-Z0-9_{{(]|\s*$)@="#,
        any(open_clauses(&words), "|")
    );
    let matches = [
        ("aditNumber", r"<\d+>".to_owned()),
        ("aditCall", format!(r"<{letters}\(@=")),
        ("aditField", format!(r"%(\w|[)\]])@1<=\.\zs{letters}")),
        ("aditClause", clause),
        (
            "aditSentence",
            format!("<{}", very_magic_pattern(&sentence(grammar))),
        ),
        (
            "aditVerb",
            format!("{BEGIN}%({})>{is_name}", any(&words.verbs, "|")),
        ),
    ];
    for (group, it) in matches {
        text += &format!("syntax match {group} /\\v{it}/\n");
    }
    for (role, items) in items_by_name(&words) {
        let next = role.map_or(String::new(), |it| {
            format!(" nextgroup={} skipwhite", group(it))
        });
        let items = any(items, "|");
        text += &format!(
            "syntax match aditItem /\\v%(^%({items})>|{BEGIN}%({items})>{is_name})/{next}\n"
        );
    }
    for role in [Role::Rule, Role::Kind, Role::Place, Role::Book, Role::Case] {
        text += &format!(
            "syntax match {} /\\v[a-zA-Z][a-zA-Z0-9_-]*/ contained\n",
            group(role)
        );
    }
    text += "syntax region aditHole matchgroup=aditHoleSign start=/{/ end=/}/ contained oneline contains=TOP\n";
    let escape = very_magic_pattern(&pattern(grammar, &grammar.rule("escape").expr));
    text += &format!("syntax match aditEscape /\\v{escape}/ contained\n");
    text += "syntax region aditText start=/\"/ skip=/\\\\\"/ end=/\"/ oneline contains=aditEscape,aditHole\n\
        syntax region aditText start=/\"\"\"/ end=/\"\"\"/\n\
        syntax match aditComment /\\/\\/.*$/ contains=@Spell\n\
        syntax match aditDoc /\\/\\/\\/\\/\\@!.*$/ contains=@Spell\n\n";
    let links = [
        Role::Item,
        Role::Verb,
        Role::Clause,
        Role::Operator,
        Role::Value,
        Role::Number,
        Role::Text,
        Role::Escape,
        Role::Sentence,
        Role::Doc,
        Role::Comment,
        Role::Rule,
        Role::Kind,
        Role::Place,
        Role::Book,
        Role::Case,
        Role::Field,
    ];
    for role in links {
        text += &format!("highlight default link {} {}\n", group(role), role.group());
    }
    text += &format!(
        "highlight default link aditHoleSign {}\n",
        Role::Hole.group()
    );
    text += &format!("highlight default link aditCall {}\n", Role::Rule.group());
    text + "\nlet b:current_syntax = 'adit'\n"
}

/// Other programs call their files `.rules` too, so a file is looked at for what begins an item.
pub fn ftdetect_vim(grammar: &Grammar) -> String {
    let words = Words::of(grammar);
    let items = any(words.items.iter().map(|it| &it.0), "|");
    format!(
        "\" Made from grammar/rules.pest: see tests/it/grammars.\n\
        autocmd BufNewFile,BufRead *.rules if (line('$') == 1 && getline(1) ==# '')\n    \
        \\ || search('\\v^%({items})\\s', 'nw') | set filetype=adit | endif\n"
    )
}

fn group(role: Role) -> String {
    format!("adit{role:?}")
}

fn very_magic(sign: &str) -> String {
    sign.chars().map(|it| format!("\\{it}")).collect()
}

/// Groups that keep nothing are written otherwise.
fn very_magic_pattern(pattern: &str) -> String {
    let rest = pattern.replace("(?:", "%(");
    rest.replace('/', "\\/")
}
