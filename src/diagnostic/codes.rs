//! The table of codes. Adding one is one line here and one page `docs/codes/CODE.md`.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::Severity;

/// A stable code with its name and meaning: `E0101 unexpected-text`.
#[derive(Clone, Copy)]
pub struct Code(&'static Entry);

struct Entry {
    id: &'static str,
    name: &'static str,
    severity: Severity,
    meaning: &'static str,
}

impl Code {
    /// Returns the letter and number: `E0101`.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// Returns the name in words: `unexpected-text`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns how much findings of this kind matter.
    pub fn severity(self) -> Severity {
        self.0.severity
    }

    /// Returns one sentence that says what the code stands for.
    pub fn meaning(self) -> &'static str {
        self.0.meaning
    }

    /// Returns the code with this id or name.
    pub fn find(id_or_name: &str) -> Option<Code> {
        let is_it =
            |code: &Code| code.id().eq_ignore_ascii_case(id_or_name) || code.name() == id_or_name;
        ALL.iter().copied().find(is_it)
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Code) -> std::cmp::Ordering {
        self.id().cmp(other.id())
    }
}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id(), self.name())
    }
}

macro_rules! codes {
    ($($constant:ident $id:literal $name:literal $severity:ident $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $constant: Code = Code(&Entry {
                id: $id, name: $name, severity: Severity::$severity, meaning: $meaning,
            });
        )*
        /// Every code, ascending.
        pub const ALL: &[Code] = &[$($constant),*];
    };
}

// Keep each family in ascending order; leave the blank lines, they keep changes of different families apart.
#[rustfmt::skip]
mod table {
    use super::{Code, Entry, Severity};

    codes! {
        // ---------- E01xx syntax
        UNEXPECTED_TEXT "E0101" "unexpected-text" Error "what is written does not follow the grammar";
        UNCLOSED_BRACKET "E0102" "unclosed-bracket" Error "a bracket is opened and never closed";
        UNOPENED_BRACKET "E0103" "unopened-bracket" Error "a bracket is closed that was never opened";
        UNCLOSED_TEXT "E0104" "unclosed-text" Error "a text in quotes has no closing quote on its line";
        MISSPELT_WORD "E0105" "misspelt-word" Error "a word of the language is misspelt";
        RESERVED_WORD "E0106" "reserved-word" Error "a word of the language is used as a name";
        MISSING_HEADER "E0107" "missing-header" Error "a file does not begin with a game or an amendment";
        SECOND_HEADER "E0108" "second-header" Error "a file has more than one header";
        LATE_HEADER "E0109" "late-header" Error "something stands before the header";
        ASSIGNMENT_IN_CONDITION "E0110" "assignment-in-condition" Error "`=` is written where a comparison is meant";
        EQUALITY_AS_STATEMENT "E0111" "equality-as-statement" Error "`==` is written where a value is given";
        FOREIGN_SIGN "E0112" "foreign-sign" Error "a sign or word of another language is used";
        CHAINED_COMPARISON "E0113" "chained-comparison" Error "two comparisons share an operand";
        CALL_WITHOUT_PARENTHESES "E0114" "call-without-parentheses" Error "an event or a flow is called without parentheses";
        NOT_A_BAR "E0115" "not-a-bar" Error "alternatives are not separated by `|`";
        NO_EFFECT "E0116" "no-effect" Error "a value is written where something should be done";
        AFTER_RETURN "E0117" "after-return" Error "something stands behind `return`";
        MISPLACED_DOC "E0118" "misplaced-doc" Error "a doc comment stands where nothing can be documented";
        HOLE_NOT_ALLOWED "E0119" "hole-not-allowed" Error "a text has a hole that can have none";
        UNKNOWN_STATUS "E0120" "unknown-status" Error "a status is none of the eight words";
        CITATION_BACKWARDS "E0121" "citation-backwards" Error "a stretch of cited sentences has no beginning before its end";
        SAID_TWICE "E0122" "said-twice" Error "something is said twice that can be said once";
        SETTING_WITHOUT_VALUES "E0123" "setting-without-values" Error "an option or question has neither a type nor readings, or both";
        NOT_A_TYPE "E0124" "not-a-type" Error "something else stands where a type is needed";
        REPEAT_TWICE "E0125" "repeat-twice" Error "a loop has both a number of rounds and an `until`";
        MOVE_UNCLEAR "E0126" "move-unclear" Error "it is not clear what is moved or from where";
        METHOD_CALL "E0127" "method-call" Error "something is called behind a dot";
        LATE_CLAUSE "E0128" "late-clause" Error "a clause stands behind what an action does";
        HOLE_UNCLEAR "E0129" "hole-unclear" Error "a text has a hole or a sign that cannot be read";
        OLDER_FORM "E0130" "older-form" Error "something is said in a form that the language had once";
        TOO_MANY_ERRORS "E0198" "too-many-errors" Error "a file has so many errors that the rest of it was not read";
        UNREADABLE "E0199" "unreadable" Error "the grammar reads a text that the program does not know";

        // ---------- E02xx composition of amendments
        EDIT_IN_A_GAME "E0201" "edit-in-a-game" Error "a game changes itself; only an amendment holds edits, relations and resolutions";
        OTHER_BASE "E0202" "other-base" Error "an amendment is for a rulebook that is not there";
        OTHER_BASE_VERSION "E0203" "other-base-version" Error "an amendment was written for another version of its base";
        MISSING_AMENDMENT "E0204" "missing-amendment" Error "an amendment needs another one that is not there";
        EXCLUDED_AMENDMENT "E0205" "excluded-amendment" Error "two amendments are there of which one excludes the other";
        RULEBOOK_TWICE "E0206" "rulebook-twice" Error "two rulebooks have the same name";
        CIRCULAR_ORDER "E0207" "circular-order" Error "amendments go in a circle: each comes before itself";
        NOT_A_GAME "E0208" "not-a-game" Error "an amendment stands where a game is needed";
        NOT_AN_AMENDMENT "E0209" "not-an-amendment" Error "a game stands where an amendment is needed";
        UNKNOWN_TARGET "E0210" "unknown-target" Error "an edit names an address where nothing is";
        AMBIGUOUS_TARGET "E0211" "ambiguous-target" Error "an edit names an address that several things have";
        TARGET_OF_ANOTHER "E0212" "target-of-another" Error "an edit changes what an amendment brings that it does not need";
        WRONG_TARGET "E0213" "wrong-target" Error "an edit does not fit what it names";
        CHANGED_SIGNATURE "E0214" "changed-signature" Error "a replacement is of another kind or has other parameters";
        WRONG_FORMALS "E0215" "wrong-formals" Error "an edit names more or fewer parameters than there are";
        NAME_TAKEN "E0216" "name-taken" Error "an amendment adds a name that is already there";
        UNKNOWN_READING "E0217" "unknown-reading" Error "a question is set to a reading that it does not have";
        MISPLACED_BASE "E0218" "misplaced-base" Error "the old body cannot stand where `base` is written";
        MISPLACED_ITEM "E0219" "misplaced-item" Error "an item cannot stand inside a resolution or a replacement";
        TOO_MANY_EDITS "E0220" "too-many-edits" Error "there are more edits than can be composed";
        REPLACED_TWICE "E0221" "replaced-twice" Error "two amendments replace the same";
        EDIT_OF_REPLACED "E0222" "edit-of-replaced" Error "an amendment changes what another one replaces";
        EDIT_OF_REMOVED "E0223" "edit-of-removed" Error "an amendment changes what another one removes";
        READ_OF_REMOVED "E0224" "read-of-removed" Error "an amendment uses what another one removes";
        UNORDERED_INSERTS "E0225" "unordered-inserts" Error "two amendments insert at the same place and nothing says which comes first";
        DIFFERENT_EXTENSIONS "E0226" "different-extensions" Error "two amendments extend a definition in ways that do not commute";
        SET_TWICE "E0227" "set-twice" Error "two amendments set the same to different values";
        ADDED_TWICE "E0228" "added-twice" Error "two amendments add the same name";
        READ_OF_REPLACED "E0229" "read-of-replaced" Warning "an amendment uses a definition that another one replaces";
        DEFAULT_WITH_EDITS "E0230" "default-with-edits" Error "the default reading of a question has edits";
        UNCLEAR_DEFAULT "E0231" "unclear-default" Error "an option with edits has a default that would have to be worked out";
        NOT_ASKED "E0232" "not-asked" Error "a question is answered where it is not asked";
        PART_ALONE "E0233" "part-alone" Error "a part belongs to a rulebook that is not there";
        PART_TWICE "E0234" "part-twice" Error "two parts of a rulebook have the same title";
        CALLED_OTHERWISE "E0235" "called-otherwise" Info "a question or a reading is asked for by the name that it had before";
        CHANGED_SINCE "E0236" "changed-since" Warning "a rulebook says something else than when an edit of it was written";
        STRANGER "E0237" "stranger" Warning "an amendment settles something with what is nowhere";
        ONE_OF_TWO "E0250" "one-of-two" Info "an amendment can stand on two rulebooks of one name";
        HALF_AHEAD "E0251" "half-ahead" Warning "an `after` in an expectation ends before `and` or `or`";
        CAPTURED_NAME "E0252" "captured-name" Error "an amendment brings an item that a word of the game would come to stand for";


        // ---------- E03xx names
        UNKNOWN_NAME "E0301" "unknown-name" Error "nothing has the name that is used";
        DUPLICATE_NAME "E0302" "duplicate-name" Error "two things share one name";
        AMBIGUOUS_NAME "E0303" "ambiguous-name" Error "a name is the value of several types";
        UNKNOWN_FIELD "E0304" "unknown-field" Error "something has no field of this name";
        WRONG_KIND "E0305" "wrong-kind" Error "a name stands for something that cannot be used here";
        UNKNOWN_SOURCE "E0306" "unknown-source" Error "a citation names a book that the header does not declare";
        UNKNOWN_SENTENCE "E0307" "unknown-sentence" Error "a citation names a sentence that its book does not have";
        UNKNOWN_PARAMETER "E0308" "unknown-parameter" Error "something has no parameter of this name";
        NO_SUCH_VALUE "E0309" "no-such-value" Error "a type, an option or a question has no such value";
        NO_ME "E0310" "no-me" Error "`me` is read where nobody is playing";
        CIRCULAR "E0311" "circular" Error "a declaration depends on itself";
        UNKNOWN_ADDRESS "E0312" "unknown-address" Error "nothing has this address";
        UNKNOWN_SIGN "E0313" "unknown-sign" Error "something is drawn that is no sign of what can be there";
        AMBIGUOUS_SIGN "E0314" "ambiguous-sign" Error "something is drawn that is the sign of several values";

        // ---------- E04xx types
        WRONG_TYPE "E0401" "wrong-type" Error "a value has another type than is needed";
        WRONG_ARGUMENTS "E0402" "wrong-arguments" Error "something gets more, fewer or other arguments than it takes";
        NOT_A_PLACE "E0403" "not-a-place" Error "something is not the place of a zone that is needed";
        NOT_A_SET "E0404" "not-a-set" Error "something is not the set that is needed";
        NO_TYPE "E0405" "no-type" Error "nothing says which type something has";
        NOT_CHANGEABLE "E0406" "not-changeable" Error "something is assigned to that cannot change";
        NOT_CONSTANT "E0407" "not-constant" Error "a value must be known before play";
        MISSING_CASE "E0408" "missing-case" Error "a value has no case, row or field";
        REPEATED_CASE "E0409" "repeated-case" Error "a value has two cases";
        NO_DEFAULT "E0410" "no-default" Error "it is not said what holds at the start or if nobody chooses";
        OPTION_OR_ACTION "E0411" "option-or-action" Error "an alternative has the name of an action and a text of its own";
        NEVER_HAPPENS "E0412" "never-happens" Warning "something stands behind turns or a repetition that never end";

        // ---------- E05xx domains, sizes, limits
        NUMBER_TOO_GREAT "E0501" "number-too-great" Error "a number is greater than the greatest number";
        NESTED_TOO_DEEP "E0502" "nested-too-deep" Error "brackets, blocks or expressions are nested too deep";
        TEXT_TOO_LONG "E0503" "text-too-long" Error "a text is too long to be read";
        TOO_MUCH_TO_READ "E0504" "too-much-to-read" Error "an item takes too much work to be read";

        TOO_MANY_ELEMENTS "E0510" "too-many-elements" Error "a type has more elements than can be listed";
        EMPTY_RANGE "E0511" "empty-range" Error "a range or a type has no element";
        OUT_OF_RANGE "E0512" "out-of-range" Error "a value lies outside of what is allowed";
        NOT_ENUMERABLE "E0513" "not-enumerable" Error "something ranges over sets, which cannot be listed";
        DRAWING "E0514" "drawing" Error "the drawing of a board cannot be read";
        TOO_LARGE_FOR_ENGINE "E0590" "too-large-for-engine" Error "a rulebook needs more room than the engine has";

        // ---------- E06xx effects, choices, visibility, recursion
        CHOICE_HERE "E0601" "choice-here" Error "a seat would choose where nobody can";
        CHANCE_HERE "E0602" "chance-here" Error "chance would decide where nothing is left to it";
        MISPLACED "E0603" "misplaced" Error "a statement stands where it means nothing";
        UNREACHABLE "E0604" "unreachable" Error "a statement can never be reached";
        NO_JUDGEMENT "E0605" "no-judgement" Error "an ending or a flow does not give its result";
        NEVER_HOLDS "E0606" "never-holds" Warning "a comparison has the same answer in every position";
        NO_HISTORY "E0607" "no-history" Error "repetition is asked for but no positions are remembered";
        GUARDED_CALL "E0608" "guarded-call" Error "a guarded event is called where the guard cannot be judged";
        UNBOUNDED_RECURSION "E0609" "unbounded-recursion" Error "something comes back to itself and nothing says how often";
        ENDLESS_LOOP "E0610" "endless-loop" Error "a loop can never end";
        READS_HIDDEN "E0611" "reads-hidden" Error "what a seat may do depends on something that it does not see";
        BROKEN_INVARIANT "E0612" "broken-invariant" Error "an invariant about what never changes does not hold";
        MEASURE_TOUCHES "E0613" "measure-touches" Error "a measure asks for what is remembered only where the rules ask for it";
        ASKED_BY_SECRET "E0620" "asked-by-secret" Error "whether a seat is asked depends on something that it does not see";
        TOO_ENTANGLED "E0621" "too-entangled" Error "who knows what cannot be followed";
        TOLD_BY_SECRET "E0622" "told-by-secret" Error "whether something is told depends on what not everybody who hears it sees";
        HIDDEN_CHARACTER "E0640" "hidden-character" Error "a rulebook holds a character that nobody sees";
        LINE_IN_A_TEXT "E0641" "line-in-a-text" Error "a text would go over several lines";
        TOO_MUCH_BEFORE_PLAY "E0660" "too-much-before-play" Error "what must be known before play takes too long to work out";
        NOTHING_TOLD "E0670" "nothing-told" Error "a ruling says what a seat is told before anything has happened";
        TOO_MANY_SENTENCES "E0680" "too-many-sentences" Error "more sentences are cited than can be looked at";
        FORBIDS_NOTHING "E0681" "forbids-nothing" Warning "no action makes a forbidden event happen";

        // ---------- E07xx structure of a rulebook
        NO_MAIN "E0701" "no-main" Error "a game has no course";
        NO_SEATS "E0702" "no-seats" Error "a game has no seats";
        WRONG_SEATS "E0703" "wrong-seats" Error "a game is not for so many seats";
        NEVER_ENDS "E0704" "never-ends" Error "nothing ends a game";
        SENTENCE_TWICE "E0720" "sentence-twice" Error "it is said twice what a sentence of a book says";

        // ---------- F08xx faults while running
        OUT_OF_FUEL "F0801" "out-of-fuel" Error "a rule went on for longer than any rule should";
        CHOICE_WITHOUT_OPTION "F0802" "choice-without-option" Error "nothing can be chosen and the rules do not say what happens then";
        OUT_OF_BOUNDS "F0803" "out-of-bounds" Error "a number left the bounds of its type";
        NOT_THERE "F0804" "not-there" Error "a component was to be taken from a place where it is not";
        PLACE_FULL "F0805" "place-full" Error "a component was to be put where there is no room";
        ABSENT_VALUE "F0806" "absent-value" Error "something was read of a value that is not there";
        DIVISION_BY_ZERO "F0807" "division-by-zero" Error "a number was divided by zero";
        TOO_DEEP "F0808" "too-deep" Error "a recursion goes deeper than it declares";
        NO_VALUE "F0809" "no-value" Error "a flow that gives a value ended without one";
        NO_RESULT "F0810" "no-result" Error "an ending gives no result";
        IMPOSSIBLE_CHANCE "F0811" "impossible-chance" Error "a recorded outcome of chance cannot happen";
        NO_END "F0812" "no-end" Error "the main flow came to its end without ending the game";
        TOO_MANY_MOVES "F0813" "too-many-moves" Error "there are more legal moves than can be listed";
        STEP_NOT_ENTERED "F0814" "step-not-entered" Error "a ruling or study begins at a step that the game never enters";
        UNTRUE_INVARIANT "F0815" "untrue-invariant" Error "an invariant does not hold at a choice of a game";
        OUT_OF_WORK "F0830" "out-of-work" Error "all that a command asked for takes more work than it may";

        // ---------- J09xx journals, transcripts, typed moves
        NO_TRANSCRIPT "J0901" "no-transcript" Error "the text is not a transcript of a game";
        BAD_HEADER "J0902" "bad-header" Error "the first line of a transcript is not whole";
        OTHER_FORMAT "J0903" "other-format" Error "a transcript has a format that is not read";
        BAD_RECORD "J0904" "bad-record" Error "a line of a transcript is no record";
        TORN_LINE "J0905" "torn-line" Error "the last line of a transcript has no end";
        OTHER_RULES "J0906" "other-rules" Error "a transcript was played under other rules";
        OTHER_OUTCOME "J0907" "other-outcome" Error "chance gives something else than a transcript says";
        OTHER_SEAT "J0908" "other-seat" Error "another seat has to choose than a transcript says";
        ILLEGAL_MOVE "J0909" "illegal-move" Error "a clause forbids the move";
        NO_RULE "J0910" "no-rule" Error "no rule offers the move now";
        NO_SUCH_THING "J0911" "no-such-thing" Error "a move names something that does not exist";
        AMBIGUOUS_MOVE "J0912" "ambiguous-move" Error "a typed move can mean several";
        UNFINISHED "J0913" "unfinished" Error "a transcript ends before its game does";
        BEYOND_THE_END "J0914" "beyond-the-end" Error "a transcript goes on after its game has ended";
        OTHER_SPELLING "J0915" "other-spelling" Error "a line of a transcript is not as the program writes it";
        OTHER_RESULT "J0916" "other-result" Error "a game ends otherwise than a transcript says";
        UNDO_REFUSED "J0917" "undo-refused" Error "a choice cannot be taken back";
        VIEW_ONLY "J0918" "view-only" Error "the view of one seat cannot be replayed";
        NO_CHOICE "J0919" "no-choice" Error "nobody has to choose in this position";
        UNKNOWN_GAME "J0920" "unknown-game" Error "no rulebook has this name";
        UNKNOWN_AMENDMENT "J0921" "unknown-amendment" Error "no amendment has this name";
        UNKNOWN_SETTING "J0922" "unknown-setting" Error "the rulebook has no such option or question";
        UNKNOWN_VALUE "J0923" "unknown-value" Error "an option or question has no such value";
        UNREADABLE_FILE "J0924" "unreadable-file" Error "a file cannot be read";
        UNWRITABLE_FILE "J0925" "unwritable-file" Error "a file cannot be written";
        BAD_SEATS "J0926" "bad-seats" Error "the seats asked for do not fit the game";
        UNKNOWN_RULING "J0927" "unknown-ruling" Error "the rulebook has no such ruling";
        UNKNOWN_CODE "J0928" "unknown-code" Error "no finding has this code";
        TWO_VALUES "J0929" "two-values" Error "an option or question is set to two values";
        UNKNOWN_STUDY "J0930" "unknown-study" Error "the rulebook has no such study";
        TOO_MANY_OUTCOMES "J0931" "too-many-outcomes" Error "chance decides in more ways than a search can follow";
        SEVERAL_LINES "J0932" "several-lines" Error "several studies are to be kept in one file";
        UNREACHED_RULING "J0933" "unreached-ruling" Error "the position of a ruling cannot be reached";
        NOTHING_TO_KEEP "J0940" "nothing-to-keep" Error "there is no line of play to keep";
        UNVOUCHED_CHANCE "J0941" "unvouched-chance" Error "nobody vouches for what chance gave in a transcript";
        SAME_RULES "J0942" "same-rules" Error "two rule sets that are to be compared are one";
        RULEBOOK_NOT_THERE "J0950" "rulebook-not-there" Error "the rulebook that a transcript names cannot be taken";
        WRONG_CONFIG "J0960" "wrong-config" Error "a file that tells the linter what to do cannot be understood";
        WRONG_LOCK "J0961" "wrong-lock" Error "a file that notes what a rulebook said cannot be understood";
        BAD_PLAN "J0970" "bad-plan" Error "games cannot be played in parts so";
        BAD_PART "J0971" "bad-part" Error "a file is no part of a plan, or is damaged";
        MISSING_PARTS "J0972" "missing-parts" Error "parts of a plan are missing";
        TWO_PARTS "J0973" "two-parts" Error "two parts of one number are not alike";
        NOT_WRITTEN "J0975" "not-written" Error "what is to be begun cannot be written";
        NO_EDITOR "J0980" "no-editor" Error "no editor talks to what answers editors";
        PROGRAM_FAILED "J0999" "program-failed" Error "the program itself has failed";

        // ---------- L1xx lints
        UNFOUNDED_ALLOW "L100" "unfounded-allow" Warning "an `allow` silences nothing, gives no reason or names no lint";
        UNCITED_CLAUSE "L101" "uncited-clause" Warning "a clause cites nothing, though there is a printed rulebook";
        UNCITED_SENTENCE "L102" "uncited-sentence" Warning "no clause stands for a sentence of the printed rulebook";
        SILENT_REFUSAL "L103" "silent-refusal" Warning "a clause refuses a move and does not say why";
        UNUSED_NAME "L104" "unused-name" Warning "something is declared and nothing uses it";
        UNUSED_LOCAL "L105" "unused-local" Warning "a parameter, local or choice makes no difference";
        INDISTINCT_READINGS "L106" "indistinct-readings" Warning "two readings of a question lead to the same everywhere";
        MOVES_ALIKE "L107" "moves-alike" Warning "two different moves are printed and typed alike";
        DRIFTING_AFTER "L108" "drifting-after" Warning "a condition tries out something else than the action does";
        COMPARISON_WITH_TRUTH "L109" "comparison-with-truth" Warning "a truth value is compared with `true` or `false`";
        ROUNDABOUT_COUNT "L110" "roundabout-count" Warning "a count is compared with zero where a word asks for it";
        NEGATED_QUESTION "L111" "negated-question" Warning "`not` stands before a question that has an opposite";
        NEEDLESS_PARENTHESES "L112" "needless-parentheses" Warning "parentheses stand where they change nothing";
        SHADOWED_NAME "L113" "shadowed-name" Warning "a local hides something of the same name";
        UNDECLARED_VISIBILITY "L114" "undeclared-visibility" Warning "a zone does not say who sees what lies in it";
        ORDER_SENSITIVE_LOOP "L115" "order-sensitive-loop" Warning "a loop over a set decides something by its order";
        UNASKED_DRAW "L116" "unasked-draw" Warning "a zone is drawn from again and again and nothing asks whether it is empty";
        CONSTANT_TRACK "L117" "constant-track" Warning "a track never changes";
        UNANSWERED_QUESTION "L118" "unanswered-question" Info "no ruling shows what the readings of a question come to";
        NEVER_LEGAL_ACTION "L119" "never-legal-action" Warning "an action that a choice offers is legal in no position of many games";
        CONSTANT_COMPARISON "L120" "constant-comparison" Warning "a condition comes to the same in every position";
        CONSTANT_BRANCH "L122" "constant-branch" Warning "`if` or `while` asks what is always or never so";
        COMPARED_WITH_ITSELF "L123" "compared-with-itself" Warning "both sides of a comparison are the same";
        IMPLIED_CONDITION "L124" "implied-condition" Warning "a condition follows from another one beside it";
        UNWORDED_SENTENCE "L125" "unworded-sentence" Warning "a list of what the sentences of a book say leaves some out";
        CITED_ASIDE "L126" "cited-aside" Warning "a sentence is cited by a clause and set aside as well";
        ALIKE_BRANCHES "L127" "alike-branches" Warning "all cases of a question come to the same";
        ALIKE_CASES "L128" "alike-cases" Warning "two cases side by side come to the same";
        ALIKE_ITEMS "L129" "alike-items" Warning "two definitions or two events say the same";
        EMPTY_STEP "L130" "empty-step" Warning "nothing happens in a step";
        NO_WINNER "L135" "no-winner" Warning "seats have points and no ending says who wins";
        UNSUPPLIED_COMPONENT "L136" "unsupplied-component" Warning "there is nothing of a kind in the box";
        UNASKED_HISTORY "L137" "unasked-history" Warning "positions are remembered and nothing asks for them";
        CITED_TWICE "L138" "cited-twice" Warning "a clause cites a sentence twice";
        SHOWN_ALIKE "L139" "shown-alike" Warning "two things on the table are called alike";
        ECHOED_GIVEN "L140" "echoed-given" Warning "a ruling expects only what it has laid down itself";
        ALIKE_RULINGS "L141" "alike-rulings" Warning "two rulings ask the same";
        ENDLESS_PLAY "L147" "endless-play" Warning "some random games do not come to an end";
        UNREACHED_ENDING "L150" "unreached-ending" Warning "rules ask for an ending to which no random game came";
        ONE_SIDED "L154" "one-sided" Info "one seat wins far more random games than the others";
        ORPHANED_OPTION "L155" "orphaned-option" Warning "an amendment takes away what asked an option";
        OVERWRITTEN_TRACK "L159" "overwritten-track" Warning "a track is written, and written again right behind";
        SHARED_TRACK "L161" "shared-track" Info "two amendments change the same track of the game";
        UNRULED_AMENDMENT "L167" "unruled-amendment" Info "no ruling shows what an amendment changes";
        COUNTED_POSITION "L168" "counted-position" Warning "what makes a position can never be again as it was";
        TWO_TAKERS "L169" "two-takers" Warning "two who choose at the same time can take the same thing";
        LONG_READING_NAME "L170" "long-reading-name" Warning "the name of a reading has more than 16 letters";
        IDLE_EDIT "L171" "idle-edit" Warning "an edit changes nothing";
        IDLE_SEAT "L172" "idle-seat" Warning "a seat had nothing to choose in many random games";
        COPIES_LOST "L173" "copies-lost" Warning "of several alike in a bag one is left in a set";
        SETTLED_CONDITION "L174" "settled-condition" Warning "an `if` asks what is settled around it or before it";
        IDLE_ELSE "L175" "idle-else" Info "no value is left for the `else` of a `by`";
        IDLE_ARITHMETIC "L176" "idle-arithmetic" Warning "a calculation changes nothing";
        REPEATED_MEMBER "L177" "repeated-member" Warning "a set or a list names something twice";
        SWAPPED_NAMES "L178" "swapped-names" Warning "a guard gives a parameter the name of another one";
        SEAT_BY_NAME "L179" "seat-by-name" Warning "an action that any seat may choose is about one seat";
        ALIKE_REFUSALS "L180" "alike-refusals" Warning "two conditions of an action refuse with the same words";
        ALIKE_FIGURES "L181" "alike-figures" Warning "what `most` or `least` compares is the same for all members";
        ORDER_LOST "L182" "order-lost" Warning "a set is made of seats in an order, which it does not keep";
        UNDONE_CHANGE "L183" "undone-change" Warning "a statement takes back what was done right before it";
        HIDES_NOTHING "L184" "hides-nothing" Warning "what only some see has nothing to hide";
    }
}

pub use table::*;
