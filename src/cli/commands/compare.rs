use std::path::{Path, PathBuf};

use clap::Args;

use super::simulate::{Clock, ManyArgs, faults, only_told, until};
use crate::cli::compared::{self, Compared};
use crate::cli::files::{self, Growing};
use crate::cli::load::{self, Asked, Loaded, RulesArgs, name_and_value};
use crate::cli::simulated::csv;
use crate::cli::{CliError, Exit, Ui};
use crate::diagnostic::codes;
use crate::lab::{self, Left, PairTotals, Plan, Until};

/// Compare two rule sets by many random games of each.
///
/// Games are played in pairs with the same chance, and both of a pair choose alike where they can, so small differences
/// show after few games. A is the first game; B is the second one, or the same as `--but-with` and `--but-set` change it.
/// `--with`, `--set` and `--players` hold for both. What is not due to luck bears a mark: of runs in which nothing
/// differs, one in twenty shows any. A fault on either side is told with its seed, and the answer is no.
#[derive(Args, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    sides: SidesArgs,
    #[command(flatten)]
    many: ManyArgs,
    /// Stop before all pairs are played: `1%` when it is known to within so much by how much the shares of the wins differ,
    /// `decided` when those who choose first, second … are known not to win alike under both
    #[arg(long, value_name = "WHEN", value_parser = until)]
    until: Option<Until>,
    /// Write a line for each pair into this file; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the wins, the lengths and the measures of both into this file; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Two rule sets.
#[derive(Args, Debug)]
pub struct SidesArgs {
    /// Name of a shipped rulebook or amendment (see `adit games`), or a path; an amendment stands for its game as well
    game: String,
    /// The second one; by default the same game
    other: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Amend the second one: a shipped amendment or a path; may be given several times
    #[arg(long, value_name = "AMENDMENT")]
    but_with: Vec<String>,
    /// Choose a reading or the value of an option of the second one; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    but_set: Vec<(String, String)>,
}

impl SidesArgs {
    /// Returns what was asked for on either side.
    pub fn asked(&self) -> [Asked; 2] {
        let first = self.rules.asked(self.game.clone());
        let mut second = first.clone();
        if let Some(other) = &self.other {
            second.game.clone_from(other);
        }
        second.amendments.extend(self.but_with.iter().cloned());
        let is_other = |name: &String| self.but_set.iter().any(|(it, _)| it == name);
        second.set.retain(|(name, _)| !is_other(name));
        second.set.extend(self.but_set.iter().cloned());
        [first, second]
    }
}

/// Plays pairs of games; the answer is no where a fault stops one, no pair is judged, or not enough is known in the end.
pub fn run(args: &CompareArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let [first, second] = args.sides.asked();
    let sides = [load::load(first)?, load::load(second)?];
    let programs = sides.each_ref().map(|it| &it.program);
    check(&sides)?;
    // How many games are played was asked for.
    programs.iter().for_each(|it| it.unbound_work());
    let plan = Plan {
        each: args.csv.is_some(),
        ..args.many.plan(args.until.unwrap_or(Until::Played))
    };
    let asked = [
        ("--csv", args.csv.as_deref()),
        ("--svg", args.svg.as_deref()),
    ];
    files::leave_output(&asked, ui)?;
    let mut table = args.csv.as_deref().map(Growing::begin).transpose()?;
    if let Some(table) = &mut table {
        table.part(&csv::pair_header(programs), ui)?;
    }
    let mut clock = Clock::new(ui);
    let mut failed = None;
    let (totals, left) = lab::compare(programs, plan, &mut |totals, pairs| {
        if let Some(table) = &mut table
            && let Err(error) = csv::write_pairs(table, programs, pairs, ui)
        {
            failed = Some(error);
            return false;
        }
        clock.tick(totals.sides[0].games, plan.games, ui);
        !ui.is_stopped()
    });
    ui.progress("");
    if let Some(error) = failed {
        return Err(error);
    }
    if let Some(table) = table {
        table.finish()?;
    }
    tell(&sides, (plan, totals, left), args.svg.as_deref(), ui)
}

impl CompareArgs {
    /// What is to be played on several machines.
    pub fn planned(&self) -> Result<([Loaded; 2], Plan), CliError> {
        only_told(&[("--csv", self.csv.is_some()), ("--svg", self.svg.is_some())])?;
        let [first, second] = self.sides.asked();
        let sides = [load::load(first)?, load::load(second)?];
        check(&sides)?;
        Ok((sides, self.many.plan(self.until.unwrap_or(Until::Played))))
    }
}

/// Tells what was played; the answer is no as [`run`] says.
pub fn tell(
    sides: &[Loaded; 2],
    (plan, totals, left): (Plan, PairTotals, Left),
    svg: Option<&Path>,
    ui: &mut Ui<'_>,
) -> Result<Exit, CliError> {
    let compared = Compared {
        titles: sides.each_ref().map(Loaded::described),
        programs: sides.each_ref().map(|it| &it.program),
        plan,
        totals,
        left,
    };
    if let Some(path) = svg {
        files::put(path, &compared.draw(), ui)?;
    }
    let totals = &compared.totals;
    if ui.json {
        let asked = sides.each_ref().map(|it| &it.asked);
        ui.json_value(&compared::json(&compared, asked))?;
    } else {
        compared::show(&compared, ui)?;
        for (name, (loaded, totals)) in ["A: ", "B: "].iter().zip(sides.iter().zip(&totals.sides)) {
            let help =
                "`adit simulate` with these rules and `--save FILE` keeps the first such game";
            faults(loaded, totals, name, help, ui)?;
        }
    }
    let known = plan.until == Until::Played || compared.left == Left::Enough;
    let fine = totals.judged > 0 && totals.sides.iter().all(|it| it.faults.is_empty()) && known;
    Ok(Exit::of(fine, left))
}

/// Checks that there are two rule sets for one table.
fn check(sides: &[Loaded; 2]) -> Result<(), CliError> {
    let games = sides.each_ref().map(|it| &it.program.game);
    if games[0].hash == games[1].hash {
        let message = format!(
            "both sides are `{}` with the same settings",
            sides[0].title()
        );
        let help = "name a second game or amendment, or say what is different: `--but-with AMENDMENT`, `--but-set NAME=VALUE`; an amendment that is named changes nothing that counts, as `adit diff` tells";
        return Err(CliError::new(codes::SAME_RULES, message, help));
    }
    let seats = games.map(|it| it.n_seats);
    if seats[0] != seats[1] {
        let message = format!(
            "`{}` is compared for {} seats, and `{}` for {}",
            sides[0].title(),
            seats[0],
            sides[1].title(),
            seats[1]
        );
        let help = "give a number that both allow: `--players N`";
        return Err(CliError::new(codes::BAD_SEATS, message, help));
    }
    Ok(())
}
