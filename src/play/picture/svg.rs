//! A landscape as an SVG picture.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::palette::{Paint, paint_of};
use super::plate::{self, Moved};
use super::shape::{Path, Point, Step};
use super::tile::HALF_WIDTH;
use super::{Form, Laid, Piece, Scene, Spot};
use crate::model::{Brush, Colour};
use crate::play::part::Part;
use crate::source::hidden::in_xml;

/// Units along the side of a component.
const SIDE: f64 = 100.0;
/// Room around the landscape for its coordinates.
pub(super) const MARGIN: f64 = 34.0;
/// Height of a line of the legend.
pub(super) const LINE: f64 = 30.0;
const FRAME: &str = "fill=\"none\" stroke=\"#b0281a\" stroke-width=\"3.5\"";
const FONT: &str = "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\"";

/// Draws landscapes below each other, and all else below them.
#[must_use]
pub fn draw(scenes: &[Scene<'_>], title: &str, parts: &[Part], moved: &Moved) -> String {
    let mut body = String::new();
    let room = MARGIN * 2.0 + title.chars().count() as f64 * 13.0;
    let (mut width, mut y) = (room.max(420.0), 16.0);
    let _ = write!(
        body,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"22\" font-weight=\"bold\" fill=\"#26221c\">{}</text>",
        y + 14.0,
        in_xml(title)
    );
    y += 34.0;
    for scene in scenes {
        let (w, h) = landscape(&mut body, scene, y);
        width = width.max(w);
        y += h;
    }
    let (w, h) = plate::draw(&mut body, parts, moved, y);
    (width, y) = (width.max(w), y + h);
    page(width, y + 18.0, &body)
}

/// A picture of so many units with its ground, whatever is on it.
#[must_use]
pub fn page(width: f64, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" {FONT}>\
         <rect width=\"100%\" height=\"100%\" fill=\"#f4efe4\"/>{body}</svg>\n"
    )
}

/// Draws one landscape and returns the room it takes.
fn landscape(out: &mut String, scene: &Scene<'_>, top: f64) -> (f64, f64) {
    let spots: BTreeSet<Spot> = scene.tiles.keys().chain(&scene.free).copied().collect();
    let least = |of: fn(&Spot) -> i64| spots.iter().map(of).min().unwrap_or(0);
    let most = |of: fn(&Spot) -> i64| spots.iter().map(of).max().unwrap_or(0);
    let (left, right) = (least(|it| it.0), most(|it| it.0));
    let (bottom, upper) = (least(|it| it.1), most(|it| it.1));
    let corner = |(x, y): Spot| Point {
        x: MARGIN + (x - left) as f64 * SIDE,
        y: top + (upper - y) as f64 * SIDE,
    };
    for spot in &scene.free {
        let at = corner(*spot);
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"84\" height=\"84\" rx=\"8\" fill=\"none\" stroke=\"#c9bfae\" stroke-width=\"1.5\" stroke-dasharray=\"5 6\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"15\" fill=\"#a3987f\" text-anchor=\"middle\">{}, {}</text>",
            at.x + 8.0,
            at.y + 8.0,
            at.x + SIDE / 2.0,
            at.y + SIDE / 2.0 + 5.0,
            spot.0,
            spot.1
        );
    }
    for (spot, laid) in &scene.tiles {
        tile(out, scene, laid, corner(*spot));
    }
    for (spot, _) in &scene.frames {
        let at = corner(*spot);
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{SIDE}\" {FRAME}/>",
            at.x, at.y
        );
    }
    for piece in &scene.pieces {
        let at = corner(piece.spot);
        piece_at(out, piece, on(piece.at, at));
    }
    let (columns, rows) = ((right - left + 1) as f64, (upper - bottom + 1) as f64);
    let label = |out: &mut String, x: f64, y: f64, text: i64| {
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"15\" fill=\"#6b6355\" text-anchor=\"middle\">{text}</text>"
        );
    };
    for x in left..=right {
        let at = MARGIN + ((x - left) as f64 + 0.5) * SIDE;
        label(out, at, top + rows * SIDE + 18.0, x);
    }
    for y in bottom..=upper {
        let at = top + ((upper - y) as f64 + 0.5) * SIDE;
        label(out, MARGIN / 2.0, at + 5.0, y);
    }
    let mut y = top + rows * SIDE + 34.0;
    let mut x = MARGIN;
    for aside in &scene.aside {
        let name = aside
            .ways
            .first()
            .map_or("", |(_, laid)| laid.name.as_str());
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{}\" font-size=\"15\" fill=\"#4b463f\">{}: {}</text>",
            y + 14.0,
            in_xml(&aside.zone),
            in_xml(name)
        );
        for (way, laid) in &aside.ways {
            tile(out, scene, laid, Point { x, y: y + 24.0 });
            let _ = write!(
                out,
                "<text x=\"{}\" y=\"{}\" font-size=\"15\" fill=\"#6b6355\" text-anchor=\"middle\">{}</text>",
                x + SIDE / 2.0,
                y + SIDE + 42.0,
                in_xml(way)
            );
            x += SIDE + 16.0;
        }
        x += 44.0;
    }
    if !scene.aside.is_empty() {
        y += SIDE + 60.0;
    }
    let width = (columns * SIDE + 2.0 * MARGIN).max(x);
    let height = legend(out, scene, y, width.max(560.0)) - top;
    (width.max(560.0), height)
}

/// A place on a component whose corner lies there.
fn on(at: Point, corner: Point) -> Point {
    Point {
        x: corner.x + at.x * SIDE,
        y: corner.y + at.y * SIDE,
    }
}

fn tile(out: &mut String, scene: &Scene<'_>, laid: &Laid, corner: Point) {
    let paint = |layer: usize| {
        let layer = scene.layers.get(layer);
        paint_of(layer.map_or(Colour::White, |it| it.colour))
    };
    let tile = &laid.tile;
    let ground = tile.ground.map_or(paint_of(Colour::White), paint);
    let _ = write!(
        out,
        "<g transform=\"translate({} {})\"><title>{}</title><rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{}\"/>",
        corner.x,
        corner.y,
        in_xml(&laid.name),
        ground.fill
    );
    let stroke = |out: &mut String, path: &str, colour: &str, width: f64| {
        let _ = write!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
            round(width * SIDE)
        );
    };
    // Where lines meet, no outline lies across one of them; a line that only crosses lies above.
    let ends: Vec<_> = tile.lines.iter().collect();
    for line in &ends {
        let d = data(&line.path, false);
        stroke(out, &d, paint(line.layer).edge, HALF_WIDTH * 2.0 + 0.04);
        if line.path.at(1.0).distance(super::shape::CENTRE) > 1e-6 {
            stroke(out, &d, paint(line.layer).fill, HALF_WIDTH * 2.0);
        }
    }
    for line in &ends {
        if line.path.at(1.0).distance(super::shape::CENTRE) <= 1e-6 {
            stroke(
                out,
                &data(&line.path, false),
                paint(line.layer).fill,
                HALF_WIDTH * 2.0,
            );
        }
    }
    for area in &tile.areas {
        let it = paint(area.layer);
        let _ = write!(
            out,
            "<path d=\"{}\" fill=\"{}\"/>",
            data(&area.path, true),
            it.fill
        );
        // What goes on in the next component has no outline there.
        let mut from = area.path.start;
        for step in &area.path.steps {
            if let Step::Curve(..) = step {
                stroke(out, &data(&Path::of(from, *step), false), it.edge, 0.04);
            }
            from = step.end();
        }
    }
    for mark in &tile.marks {
        if let Some(layer) = scene.layers.get(mark.layer) {
            let at = Point {
                x: mark.at.x * SIDE,
                y: mark.at.y * SIDE,
            };
            sign(
                out,
                &layer.sign,
                paint_of(layer.colour),
                at,
                mark.size * SIDE,
            );
        }
    }
    let _ = write!(
        out,
        "<rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"#2b2416\" stroke-opacity=\"0.28\"/></g>"
    );
}

fn data(path: &Path, closed: bool) -> String {
    let point = |at: Point| format!("{} {}", round(at.x * SIDE), round(at.y * SIDE));
    let mut data = format!("M{}", point(path.start));
    for step in &path.steps {
        match step {
            Step::Line(to) => {
                let _ = write!(data, "L{}", point(*to));
            }
            Step::Curve(a, b, to) => {
                let _ = write!(data, "C{} {} {}", point(*a), point(*b), point(*to));
            }
        }
    }
    if closed {
        data.push('Z');
    }
    data
}

/// Draws a sign: some of them as shapes, others as the letter that they are.
fn sign(out: &mut String, sign: &str, paint: Paint, at: Point, r: f64) {
    let shape = match sign {
        "⛨" | "▼" => Some("M-.8-.9H.8V.1C.8.7.3.95 0 1.1-.3.95-.8.7-.8.1Z"),
        "⌂" => Some("M-1 0 0-1 1 0H.75V.9H-.75V0Z"),
        "∩" => Some("M-1 .8V0A1 1 0 0 1 1 0V.8H.45V.1A.45.45 0 0 0-.45.1V.8Z"),
        "✚" | "+" => Some("M-.35-1.1H.35V-.5H.9V.1H.35V1H-.35V.1H-.9V-.5H-.35Z"),
        "◆" => Some("M0-1.1 1 0 0 1.1-1 0Z"),
        "■" => Some("M-.8-.8H.8V.8H-.8Z"),
        "▲" => Some("M0-1 1 .8H-1Z"),
        "●" | "o" | "○" => Some("M-.9 0A.9.9 0 1 1 .9 0A.9.9 0 1 1-.9 0Z"),
        "★" => Some("M0-1.1.28-.35 1.05-.34.45.15.65.9 0 .47-.65.9-.45.15-1.05-.34-.28-.35Z"),
        _ => None,
    };
    let _ = match shape {
        Some(shape) => write!(
            out,
            "<path transform=\"translate({} {}) scale({r})\" d=\"{shape}\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"{}\" paint-order=\"stroke\" stroke-linejoin=\"round\"/>",
            round(at.x),
            round(at.y),
            paint.fill,
            round(3.0 / r)
        ),
        None => write!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{r}\" fill=\"{}\" stroke=\"{}\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"middle\">{}</text>",
            round(at.x),
            round(at.y),
            paint.fill,
            paint.edge,
            round(at.x),
            round(at.y + r * 0.45),
            round(r * 1.3),
            paint.ink,
            in_xml(sign)
        ),
    };
}

/// A pawn, a disc or the number of a move.
fn piece_at(out: &mut String, piece: &Piece, at: Point) {
    let paint = paint_of(piece.colour);
    let _ = write!(
        out,
        "<g transform=\"translate({} {})\"><title>{}</title>",
        round(at.x),
        round(at.y),
        in_xml(&piece.name)
    );
    let text = |out: &mut String, y: f64, size: f64| {
        let _ = write!(
            out,
            "<text y=\"{y}\" font-size=\"{size}\" font-weight=\"bold\" fill=\"{}\" text-anchor=\"middle\">{}</text>",
            paint.ink,
            in_xml(&piece.sign)
        );
    };
    let _ = match piece.form {
        Form::Pawn => write!(
            out,
            "<path d=\"M0-17A6.5 6.5 0 0 1 5.2-6.6C9-5 12.5 3 13 12H-13C-12.5 3-9-5-5.2-6.6A6.5 6.5 0 0 1 0-17Z\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\" stroke-linejoin=\"round\"/>\
             <path d=\"M0-17A6.5 6.5 0 0 1 5.2-6.6C9-5 12.5 3 13 12H-13C-12.5 3-9-5-5.2-6.6A6.5 6.5 0 0 1 0-17Z\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"/>",
            paint.fill, paint.edge
        ),
        Form::Disc => write!(
            out,
            "<circle r=\"10.5\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\"/><circle r=\"10.5\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"/>",
            paint.fill, paint.edge
        ),
        Form::Number => write!(
            out,
            "<circle r=\"9\" fill=\"{}\" fill-opacity=\"0.85\" stroke=\"{}\" stroke-dasharray=\"3 2\"/>",
            paint.fill, paint.edge
        ),
    };
    match piece.form {
        Form::Pawn => text(out, 9.5, 12.0),
        Form::Disc | Form::Number => text(out, 4.5, 12.5),
    }
    out.push_str("</g>");
}

/// Says what everything means; returns where it ends.
fn legend(out: &mut String, scene: &Scene<'_>, top: f64, width: f64) -> f64 {
    let (mut x, mut y) = (MARGIN, top + 18.0);
    let mut place = |out: &mut String, words: &str, draw: &mut dyn FnMut(&mut String, Point)| {
        let room = 34.0 + words.chars().count() as f64 * 9.0 + 18.0;
        if x > MARGIN && x + room > width {
            x = MARGIN;
            y += LINE;
        }
        draw(out, Point { x: x + 12.0, y });
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"15\" fill=\"#4b463f\">{}</text>",
            x + 30.0,
            y + 5.0,
            in_xml(words)
        );
        x += room;
    };
    let mut known = BTreeSet::new();
    for layer in &scene.layers {
        if !known.insert(layer.title.as_str()) {
            continue;
        }
        let paint = paint_of(layer.colour);
        place(out, &layer.title, &mut |out, at| match layer.brush {
            Brush::Ground | Brush::Area | Brush::Line => {
                let height = if layer.brush == Brush::Line {
                    9.0
                } else {
                    18.0
                };
                let _ = write!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"22\" height=\"{height}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>",
                    at.x - 11.0,
                    at.y - height / 2.0,
                    paint.fill,
                    paint.edge
                );
            }
            Brush::Stop | Brush::Mark => sign(out, &layer.sign, paint, at, 9.0),
        });
    }
    for (_, name) in &scene.frames {
        place(out, name, &mut |out, at| {
            let (x, y) = (at.x - 10.0, at.y - 10.0);
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"20\" height=\"20\" {FRAME}/>"
            );
        });
    }
    let mut pieces: BTreeMap<_, &Piece> = BTreeMap::new();
    for piece in scene.pieces.iter().filter(|it| it.form != Form::Number) {
        pieces.insert((&piece.name, &piece.sign), piece);
    }
    for piece in pieces.values() {
        place(out, &piece.name, &mut |out, at| piece_at(out, piece, at));
    }
    y + 16.0
}

pub(super) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
