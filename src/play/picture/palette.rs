//! Colours on a screen: apart in lightness as well as in hue, so that no eye mixes them up.

use crate::model::Colour;

/// How a colour is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// A surface.
    pub fill: &'static str,
    /// Its outline.
    pub edge: &'static str,
    /// Text upon it.
    pub ink: &'static str,
    /// The surface in a terminal of 256 colours.
    pub ansi: u8,
    /// Text upon it in a terminal.
    pub ansi_ink: u8,
    /// A shade beside it in a terminal.
    pub ansi_odd: u8,
}

const fn paint(
    fill: &'static str,
    edge: &'static str,
    ink: &'static str,
    ansi: u8,
    ansi_ink: u8,
    ansi_odd: u8,
) -> Paint {
    Paint {
        fill,
        edge,
        ink,
        ansi,
        ansi_ink,
        ansi_odd,
    }
}

/// The paint for a colour. The strong ones are those of Okabe and Ito.
#[must_use]
pub fn paint_of(colour: Colour) -> Paint {
    match colour {
        Colour::Black => paint("#2b2b2b", "#000000", "#ffffff", 234, 231, 236),
        Colour::Blue => paint("#0072b2", "#00456b", "#ffffff", 25, 231, 31),
        Colour::Brown => paint("#b07a4f", "#6e4526", "#ffffff", 137, 231, 138),
        Colour::Green => paint("#b5d28d", "#8db163", "#26351a", 150, 22, 151),
        Colour::Grey => paint("#a8a29a", "#6b665f", "#1f1f1f", 247, 16, 246),
        Colour::Orange => paint("#e69f00", "#9a6a00", "#1f1f1f", 214, 16, 215),
        Colour::Purple => paint("#cc79a7", "#8b4670", "#1f1f1f", 175, 16, 176),
        Colour::Red => paint("#d55e00", "#8c3d00", "#ffffff", 166, 231, 167),
        Colour::Sky => paint("#56b4e9", "#2a7fae", "#10222e", 117, 16, 81),
        Colour::White => paint("#fbf7ec", "#8c8170", "#1f1f1f", 230, 16, 255),
        Colour::Yellow => paint("#f0e442", "#a59a12", "#1f1f1f", 227, 16, 221),
    }
}

/// The colours of the seats, in their order.
const SEATS: [Colour; 8] = [
    Colour::Red,
    Colour::Blue,
    Colour::Purple,
    Colour::Yellow,
    Colour::Black,
    Colour::White,
    Colour::Sky,
    Colour::Orange,
];

/// The colours of seats: those of their names if they are called like one, others in their order.
#[must_use]
pub fn of_seats(names: &[String]) -> Vec<Colour> {
    let named: Vec<Option<Colour>> = names.iter().map(|it| Colour::named(it)).collect();
    let mut spare = SEATS.iter().filter(|it| !named.contains(&Some(**it)));
    let each = named.iter();
    each.map(|it| it.or_else(|| spare.next().copied()).unwrap_or(Colour::Grey))
        .collect()
}
