//! Values as text: as moves are printed and typed, and as rulebooks draw them.

use super::{
    Base, Domain, DomainId, DomainKind, EnumValue, Field, Game, NONE, Shape, ShowPart, Sign, Type,
    Zone, ZoneId,
};

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// With all signs: `Q♠`.
    #[default]
    Signs,
    /// With signs that every keyboard has: `Qs`. Transcripts are kept so.
    Plain,
    /// In words, as they are read aloud: `Queen spades`.
    Spoken,
}

impl Form {
    /// All of them, in the order of their numbers.
    pub const ALL: [Form; 3] = [Form::Signs, Form::Plain, Form::Spoken];
    /// Those in which no two moves read alike.
    pub const WRITTEN: [Form; 2] = [Form::Signs, Form::Plain];

    /// With all signs, or plainly.
    #[must_use]
    pub fn written(plain: bool) -> Form {
        if plain { Form::Plain } else { Form::Signs }
    }

    /// Whether there are no signs but those of a keyboard.
    #[must_use]
    pub fn is_plain(self) -> bool {
        self != Form::Signs
    }
}

/// Prints values.
#[derive(Clone, Copy)]
pub struct Said<'a> {
    game: &'a Game,
    /// Where the component lies that has a number on the plane of a zone, if that is known.
    spot: &'a dyn Fn(ZoneId, i64) -> Option<i64>,
    form: Form,
}

impl<'a> Said<'a> {
    /// Prints with all signs, or with the plain ones. Parts of what lies on a plane are printed with the spot where
    /// it lies, else with its number.
    #[must_use]
    pub fn new(game: &'a Game, spot: &'a dyn Fn(ZoneId, i64) -> Option<i64>, form: Form) -> Self {
        Self { game, spot, form }
    }

    /// A scalar, or a set of at most 64 elements as the bits of one word.
    #[must_use]
    pub fn scalar(self, ty: Type, value: i64) -> String {
        if value == NONE && !matches!(ty.base, Base::Set(_)) {
            return "none".to_owned();
        }
        match ty.base {
            Base::Bool => (value != 0).to_string(),
            Base::Int(..) => value.to_string(),
            Base::Elem(domain) => self.element(domain, value),
            Base::Set(domain) => self.set(domain, &[value as u64]),
            Base::Unit => String::new(),
        }
    }

    /// A set: its elements in order, between braces; where elements have commas, semicolons tell them apart.
    #[must_use]
    pub fn set(self, domain: DomainId, words: &[u64]) -> String {
        let printed: Vec<String> = members(words)
            .map(|member| self.element(domain, i64::try_from(member).unwrap_or(i64::MAX)))
            .collect();
        let commas = printed.iter().any(|it| it.contains(','));
        format!("{{{}}}", printed.join(if commas { "; " } else { ", " }))
    }

    /// An element of a domain, which may be a range.
    #[must_use]
    pub fn element(self, id: DomainId, value: i64) -> String {
        self.element_on(id, value, &|_| String::new())
    }

    /// A value where it is part of a picture: of a seat its sign.
    #[must_use]
    pub fn sign(self, ty: Type, value: i64) -> String {
        let seats = self.game.domains.get(self.game.seat.index());
        let seat = seats.filter(|_| ty.base == Base::Elem(self.game.seat));
        match seat.and_then(|it| enum_value(it, value)) {
            Some(seat) => match self.form {
                Form::Spoken => self.scalar(ty, value),
                form => symbol_of(seat, form),
            },
            None => self.scalar(ty, value),
        }
    }

    /// A field where it is part of a picture.
    #[must_use]
    fn field_sign(self, field: &Field, value: i64) -> String {
        match &field.sign {
            Some(sign) if value == 1 => sign_of(field, sign, self.form),
            Some(_) => String::new(),
            None => self.sign(field.ty, value),
        }
    }

    /// What lies in a place, as it is printed there: the thing with the fields that are part of its picture, if one lies
    /// there that is seen, then the other fields.
    #[must_use]
    pub fn lying(self, zone: &Zone, value: Option<i64>, fields: &[i64]) -> Vec<String> {
        let component = self.game.domains.get(zone.component.index());
        let parts = component.and_then(|it| it.show.as_ref());
        let is_in_show = |field: &Field| {
            let names =
                |part: &ShowPart| matches!(part, ShowPart::OfPlace(it) if *it == field.name);
            parts.is_some_and(|parts| parts.iter().any(names))
        };
        let of_place = |name: &str| {
            let mut fields = zone.fields.iter().zip(fields);
            let field = fields.find(|(field, _)| field.name == name);
            field.map_or_else(String::new, |(field, value)| {
                self.place_field(field, *value)
            })
        };
        let beside = zone.fields.iter().zip(fields);
        let beside = beside.filter(|(field, _)| !is_in_show(field));
        let beside: Vec<String> = beside
            .map(|(field, value)| self.place_field(field, *value))
            .filter(|it| !it.is_empty())
            .collect();
        // Where all components are alike, only the fields of the place tell them apart.
        let is_told = beside.is_empty() || component.is_some_and(|it| it.size != 1);
        let thing = value.filter(|_| is_told);
        let thing = thing.map(|it| self.element_on(zone.component, it, &of_place));
        thing
            .filter(|it| !it.is_empty())
            .into_iter()
            .chain(beside)
            .collect()
    }

    /// A field of a place: of what is true or not, its sign or its name if it is.
    fn place_field(self, field: &Field, value: i64) -> String {
        match (field.ty.base, value) {
            (Base::Bool, 0) => String::new(),
            (Base::Bool, 1) if field.sign.is_none() => spelt(&field.name),
            _ => self.field_sign(field, value),
        }
    }

    /// A component where it lies: what the fields of its place are printed as is asked.
    #[must_use]
    fn element_on(self, id: DomainId, value: i64, of_place: &dyn Fn(&str) -> String) -> String {
        let Some(domain) = self.game.domains.get(id.index()) else {
            return value.to_string();
        };
        if let Some(parts) = &domain.show {
            // The coordinates of a place read as one word.
            let is_apart = self.form == Form::Spoken && is_record(domain);
            let mut printed = String::new();
            let mut is_value = false;
            for part in parts {
                let word = match part {
                    ShowPart::Text(text) => text.clone(),
                    ShowPart::Field(field) => match fields_of(domain).get(*field) {
                        Some(it)
                            if it.sign.is_some() || it.ty.base == Base::Elem(self.game.seat) =>
                        {
                            self.field_sign(it, field_value(it, value))
                        }
                        _ => self.field(domain, *field, value),
                    },
                    ShowPart::Name => name_of(domain, value),
                    ShowPart::OfPlace(name) => of_place(name),
                };
                let was_value = is_value;
                is_value = !matches!(part, ShowPart::Text(_));
                match is_apart && is_value && was_value {
                    true => add_word(&mut printed, &word),
                    false => printed.push_str(&word),
                }
            }
            // What is printed as nothing would look as if nothing were there.
            return match printed.trim().is_empty() && is_record(domain) {
                true => domain.name.clone(),
                false => printed,
            };
        }
        match &domain.kind {
            DomainKind::Range => (domain.lo + value).to_string(),
            // In a text a seat is called by its name; its sign belongs to pictures.
            DomainKind::Enum { .. } if id == self.game.seat => name_of(domain, value),
            DomainKind::Enum { .. } => match enum_value(domain, value) {
                Some(known) => symbol_of(known, self.form),
                None => value.to_string(),
            },
            DomainKind::Space {
                shape: Shape::Cells(cells),
                ..
            } if !cells.names.is_empty() => {
                let name = usize::try_from(value)
                    .ok()
                    .and_then(|it| cells.names.get(it));
                name.map_or_else(|| value.to_string(), Clone::clone)
            }
            DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. } => {
                let printed: Vec<String> = (0..fields.len())
                    .map(|field| self.field(domain, field, value))
                    .collect();
                match printed.is_empty() {
                    true => domain.name.clone(),
                    false => format!("{}({})", domain.name, printed.join(", ")),
                }
            }
        }
    }

    fn field(self, domain: &Domain, index: usize, whole: i64) -> String {
        let Some(field) = fields_of(domain).get(index) else {
            return String::new();
        };
        let value = field_value(field, whole);
        match &domain.kind {
            DomainKind::Space {
                shape: Shape::Cells(cells),
                ..
            } => {
                let place = usize::try_from(whole).ok().and_then(|it| cells.at.get(it));
                let digit = place.and_then(|it| it.get(index)).copied();
                let digit = i64::try_from(digit.unwrap_or(0)).unwrap_or(0);
                let whole = digit.saturating_mul(i64::try_from(field.stride.max(1)).unwrap_or(1));
                self.scalar(field.ty, field_value(field, whole))
            }
            DomainKind::Space {
                shape: Shape::Parts { zone, .. },
                ..
            } if index == 0 => match (self.spot)(*zone, value) {
                Some(spot) => self.scalar(field.ty, spot),
                None => format!("#{value}"),
            },
            // The far half of a plane lies on the other side of its first spot.
            DomainKind::Space {
                shape: Shape::Plane { span, .. },
                ..
            } if value * 2 >= i64::from(*span) => (value - i64::from(*span)).to_string(),
            _ => self.scalar(field.ty, value),
        }
    }
}

/// The elements of a set as positions in its domain.
pub fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    (0..).zip(words).flat_map(|(at, word)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| at * 64 + bit)
    })
}

/// Returns the signs of a game that are not ASCII, each with what stands for it plainly, the longest first.
#[must_use]
pub fn plain_signs(game: &Game) -> Vec<(String, String)> {
    let mut signs = Vec::new();
    for domain in &game.domains {
        if let DomainKind::Enum { values, .. } = &domain.kind {
            let spelt = |it: &EnumValue| Some((it.symbol.clone()?, it.plain.clone()?));
            signs.extend(values.iter().filter_map(spelt));
        }
    }
    signs.retain(|(sign, plain)| !sign.is_ascii() && plain.is_ascii());
    signs.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
    signs.dedup_by(|later, first| later.0 == first.0);
    signs
}

fn symbol_of(value: &EnumValue, form: Form) -> String {
    let symbol = value.symbol.as_deref().unwrap_or(&value.name);
    let plain = value.plain.as_deref().unwrap_or(symbol);
    match form {
        Form::Signs => symbol.to_owned(),
        Form::Plain => plain.to_owned(),
        Form::Spoken => spoken([symbol, plain], &value.name),
    }
}

fn sign_of(field: &Field, sign: &Sign, form: Form) -> String {
    let plain = sign.plain.as_deref().unwrap_or(&sign.symbol);
    match form {
        Form::Signs => sign.symbol.clone(),
        Form::Plain => plain.to_owned(),
        Form::Spoken => spoken([&sign.symbol, plain], &field.name),
    }
}

/// Letters in a row that a word has at least.
const WORD: usize = 3;

/// What can be read aloud: signs that are words or numbers, else the name, if that is a word; else the plain sign.
fn spoken([symbol, plain]: [&str; 2], name: &str) -> String {
    let is_word = |it: &&str| {
        let mut runs = it.split(|letter: char| !letter.is_alphabetic());
        let is_long = runs.any(|run| run.chars().count() >= WORD);
        is_long || !it.is_empty() && it.chars().all(|it| it.is_ascii_digit())
    };
    let mut words = [symbol, plain].into_iter().filter(is_word);
    let own = words.next().map(str::to_owned);
    own.unwrap_or_else(|| match is_word(&name) {
        true => spelt(name),
        false => plain.to_owned(),
    })
}

/// Puts a word behind others, apart from them where both would read as one.
fn add_word(text: &mut String, word: &str) {
    let ends = text.chars().next_back().is_some_and(char::is_alphanumeric);
    if ends && word.starts_with(char::is_alphanumeric) {
        text.push(' ');
    }
    text.push_str(word);
}

fn enum_value(domain: &Domain, value: i64) -> Option<&EnumValue> {
    match &domain.kind {
        DomainKind::Enum { values, .. } => values.get(usize::try_from(value).ok()?),
        DomainKind::Range | DomainKind::Record { .. } | DomainKind::Space { .. } => None,
    }
}

/// The name of an enum value as rules write it; else the number.
#[must_use]
pub fn name_of(domain: &Domain, value: i64) -> String {
    match enum_value(domain, value) {
        Some(known) => known.name.clone(),
        None => value.to_string(),
    }
}

fn is_record(domain: &Domain) -> bool {
    matches!(domain.kind, DomainKind::Record { .. })
}

/// The fields of a record, the coordinates of a space.
#[must_use]
pub fn fields_of(domain: &Domain) -> &[Field] {
    match &domain.kind {
        DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. } => fields,
        DomainKind::Range | DomainKind::Enum { .. } => &[],
    }
}

/// The value of a field of a record, or of a coordinate of a cell, out of the element.
#[must_use]
pub fn field_value(field: &Field, whole: i64) -> i64 {
    let stride = i64::try_from(field.stride.max(1)).unwrap_or(i64::MAX);
    let size = i64::try_from(field.size.max(1)).unwrap_or(i64::MAX);
    let index = whole / stride % size;
    if field.ty.optional && index == size - 1 {
        return NONE;
    }
    match field.ty.base {
        Base::Int(lo, _) => lo + index,
        Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => index,
    }
}

/// A text up to the end of its first sentence.
pub fn first_sentence(text: &str) -> &str {
    text.find(". ")
        .and_then(|at| text.get(..=at))
        .unwrap_or(text)
}

/// A name as people write it: the underscore behind a word of the language is not written.
pub fn spelt(name: &str) -> String {
    name.trim_end_matches('_').replace('_', " ")
}
