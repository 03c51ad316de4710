//! What many games have come to, as an SVG picture.

use std::fmt::Write;

use super::words::{between, decimal, grouped, nth, percent};
use super::{Played, Who, facts, taken};
use crate::lab::Spread;
use crate::play::picture::svg::page;
use crate::source::hidden::in_xml;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 40.0;
/// Where bars of shares begin and how long a whole one is.
const BAR: (f64, f64) = (250.0, 300.0);
const HEIGHT: f64 = 110.0;
/// Most columns of a histogram.
const COLUMNS: usize = 48;
const INK: &str = "#26221c";
const SOFT: &str = "#6b6355";
const FILL: &str = "#7a94a8";

/// A picture that grows downwards.
pub struct Plot {
    body: String,
    y: f64,
}

/// Draws the wins with their intervals, the lengths of the games and the figures by which they were ranked.
pub fn draw(it: &Played<'_>) -> String {
    let mut plot = Plot::new(&it.title);
    let games = format!(
        "{} random games, seeds from {} on; intervals 95 %",
        grouped(it.totals.games),
        it.plan.first
    );
    plot.note(&games);
    for won in it.wins() {
        let name = match won.who {
            Who::Turn(turn) => format!("won by who chose {}", nth(turn)),
            Who::Seat(seat, _) => format!("won by {}", it.seat(seat, false)),
            Who::Side(first) => format!("won by {}", it.side_name(first, false)),
        };
        let share = won.tally.alone as f64 / it.totals.judged.max(1) as f64;
        plot.share(&name, share, won.share);
    }
    plot.spread("choices of a game", &it.totals.choices, 1);
    for (id, ending) in &it.totals.endings {
        let (name, called) = it.ending(*id);
        for ((of, seats), at) in called.iter().zip(&ending.figures).zip(1..) {
            if of.is_truth {
                continue;
            }
            let mut all = Spread::default();
            seats.iter().for_each(|it| all.merge(it));
            let title = format!("{name}: {}", facts::title(of, at));
            plot.spread(&title, &all, if of.least { -1 } else { 1 });
        }
    }
    for (of, found) in it.game().measures.iter().zip(&it.totals.measures) {
        plot.spread(&format!("{} {}", of.name, taken(of)), &found.values, 1);
    }
    plot.page()
}

impl Plot {
    /// An empty one under a title.
    pub fn new(title: &str) -> Plot {
        let mut plot = Plot {
            body: String::new(),
            y: 16.0,
        };
        plot.line(title);
        plot
    }

    /// Adds a line of a title.
    pub fn line(&mut self, title: &str) {
        self.text(LEFT, 22.0, INK, "font-weight=\"bold\"", title);
    }

    /// Adds what was played.
    pub fn note(&mut self, text: &str) {
        self.text(LEFT, 14.0, SOFT, "", text);
        self.y += 10.0;
    }

    /// Returns the picture.
    pub fn page(&self) -> String {
        page(WIDTH, self.y + 24.0, &self.body)
    }

    fn text(&mut self, x: f64, size: f64, colour: &str, how: &str, text: &str) {
        self.y += size + 6.0;
        self.label(x, self.y, size, colour, how, text);
    }

    fn label(&mut self, x: f64, y: f64, size: f64, colour: &str, how: &str, text: &str) {
        let text = in_xml(text);
        let _ = write!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" {how}>{text}</text>"
        );
    }

    fn bar(&mut self, x: f64, y: f64, width: f64, height: f64) {
        let _ = write!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{FILL}\"/>"
        );
    }

    /// Adds a bar with its interval.
    pub fn share(&mut self, name: &str, share: f64, interval: crate::stats::Interval) {
        self.y += 26.0;
        let y = self.y;
        self.label(LEFT, y, 15.0, INK, "", name);
        self.bar(BAR.0, y - 14.0, BAR.1 * share, 18.0);
        let (low, high) = (BAR.0 + BAR.1 * interval.low, BAR.0 + BAR.1 * interval.high);
        let _ = write!(
            self.body,
            "<path d=\"M{low:.1} {0:.1}H{high:.1}M{low:.1} {1:.1}v10M{high:.1} {1:.1}v10\" stroke=\"{INK}\" stroke-width=\"1.5\" fill=\"none\"/>",
            y - 5.0,
            y - 10.0
        );
        let text = format!("{} {}", percent(share), between(interval, false));
        self.label(BAR.0 + BAR.1 + 10.0, y, 13.0, SOFT, "", &text);
    }

    /// Adds a line between nothing and all.
    pub fn course(&mut self, points: &[f64]) {
        self.y += 2.0 * HEIGHT + 12.0;
        let (base, height) = (self.y, 2.0 * HEIGHT);
        let width = (WIDTH - 2.0 * LEFT) / points.len().saturating_sub(1).max(1) as f64;
        let mut path = String::new();
        for (at, point) in points.iter().enumerate() {
            let (x, y) = (LEFT + width * at as f64, base - height * point);
            let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
        }
        let middle = base - height / 2.0;
        let right = WIDTH - LEFT;
        let _ = write!(
            self.body,
            "<path d=\"M{LEFT} {base:.1}H{right:.1}M{LEFT} {middle:.1}H{right:.1}M{LEFT} {:.1}H{right:.1}\" stroke=\"{SOFT}\" stroke-width=\"0.5\"/><path d=\"{path}\" stroke=\"{INK}\" stroke-width=\"2\" fill=\"none\"/>",
            base - height
        );
        self.label(LEFT, base + 16.0, 13.0, SOFT, "", "first choice");
        let end = "text-anchor=\"end\"";
        self.label(right, base + 16.0, 13.0, SOFT, end, "end");
        self.y += 18.0;
    }

    /// Adds columns that say how numbers are spread.
    pub fn spread(&mut self, name: &str, spread: &Spread, sign: i64) {
        let (Some((least, greatest)), Some(mean)) = (spread.range(), spread.mean()) else {
            return;
        };
        let mut stretches = spread.stretches(COLUMNS);
        let mut ends = (least, greatest);
        if sign < 0 {
            stretches.reverse();
            ends = (-greatest, -least);
        }
        let most = stretches.iter().map(|(_, count)| *count).max().unwrap_or(1);
        self.y += 18.0;
        self.text(LEFT, 15.0, INK, "", name);
        self.y += HEIGHT + 12.0;
        let (base, width) = (self.y, (WIDTH - 2.0 * LEFT) / stretches.len().max(1) as f64);
        for (at, (_, count)) in stretches.iter().enumerate() {
            let height = HEIGHT * *count as f64 / most.max(1) as f64;
            self.bar(
                LEFT + width * at as f64,
                base - height,
                (width - 1.0).max(0.5),
                height,
            );
        }
        let _ = write!(
            self.body,
            "<path d=\"M{LEFT} {base:.1}H{:.1}\" stroke=\"{SOFT}\"/>",
            WIDTH - LEFT
        );
        self.label(LEFT, base + 16.0, 13.0, SOFT, "", &grouped(ends.0));
        let right = "text-anchor=\"end\"";
        self.label(
            WIDTH - LEFT,
            base + 16.0,
            13.0,
            SOFT,
            right,
            &grouped(ends.1),
        );
        let middle = "text-anchor=\"middle\"";
        let mean = format!("mean {}", decimal(sign as f64 * mean));
        self.label(WIDTH / 2.0, base + 16.0, 13.0, SOFT, middle, &mean);
        self.y += 18.0;
    }
}
