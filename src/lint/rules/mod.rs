//! The lints, one file each. A new one is a line in [`ALL`], a line in the table of codes, a page, a
//! fixture and a snapshot.

use super::Lint;

mod alike_branches;
mod alike_cases;
mod alike_figures;
mod alike_items;
mod alike_refusals;
mod alike_rulings;
mod cited_aside;
mod cited_twice;
mod compared_with_itself;
mod comparison_with_truth;
mod constant_branch;
mod constant_comparison;
mod constant_track;
mod copies_lost;
mod counted_position;
mod drifting_after;
mod echoed_given;
mod empty_step;
mod endless_play;
mod hides_nothing;
mod idle_arithmetic;
mod idle_edit;
mod idle_else;
mod idle_seat;
mod implied_condition;
mod indistinct_readings;
mod long_reading_name;
mod moves_alike;
mod needless_parentheses;
mod negated_question;
mod never_legal_action;
mod no_winner;
mod one_sided;
mod order_lost;
mod order_sensitive_loop;
mod orphaned_option;
mod overwritten_track;
mod repeated_member;
mod roundabout_count;
mod seat_by_name;
mod settled_condition;
mod shadowed_name;
mod shared_track;
mod shown_alike;
mod silent_refusal;
mod swapped_names;
mod two_takers;
mod unanswered_question;
mod unasked_draw;
mod unasked_history;
mod uncited_clause;
mod uncited_sentence;
mod undeclared_visibility;
mod undone_change;
mod unfounded_allow;
mod unreached_ending;
mod unruled_amendment;
mod unsupplied_component;
mod unused_local;
mod unused_name;
mod unworded_sentence;

/// Every lint, in the order they run. The one that judges the `allow`s sees what all others found, so
/// it comes last.
pub const ALL: &[Lint] = &[
    uncited_clause::LINT,
    uncited_sentence::LINT,
    unworded_sentence::LINT,
    cited_aside::LINT,
    silent_refusal::LINT,
    unused_name::LINT,
    unused_local::LINT,
    indistinct_readings::LINT,
    moves_alike::LINT,
    drifting_after::LINT,
    comparison_with_truth::LINT,
    roundabout_count::LINT,
    negated_question::LINT,
    needless_parentheses::LINT,
    shadowed_name::LINT,
    undeclared_visibility::LINT,
    hides_nothing::LINT,
    order_sensitive_loop::LINT,
    unasked_draw::LINT,
    constant_track::LINT,
    counted_position::LINT,
    constant_comparison::LINT,
    constant_branch::LINT,
    compared_with_itself::LINT,
    implied_condition::LINT,
    settled_condition::LINT,
    idle_else::LINT,
    idle_arithmetic::LINT,
    repeated_member::LINT,
    order_lost::LINT,
    alike_branches::LINT,
    alike_cases::LINT,
    alike_items::LINT,
    unsupplied_component::LINT,
    cited_twice::LINT,
    shown_alike::LINT,
    alike_rulings::LINT,
    echoed_given::LINT,
    empty_step::LINT,
    idle_edit::LINT,
    orphaned_option::LINT,
    no_winner::LINT,
    unasked_history::LINT,
    overwritten_track::LINT,
    undone_change::LINT,
    shared_track::LINT,
    swapped_names::LINT,
    seat_by_name::LINT,
    alike_refusals::LINT,
    alike_figures::LINT,
    two_takers::LINT,
    copies_lost::LINT,
    long_reading_name::LINT,
    unanswered_question::LINT,
    unruled_amendment::LINT,
    never_legal_action::LINT,
    endless_play::LINT,
    unreached_ending::LINT,
    one_sided::LINT,
    idle_seat::LINT,
    unfounded_allow::LINT,
];
