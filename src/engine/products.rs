//! The places of zones and tracks with several indices as values, so that they can be worked with as sets.

use crate::model::{Base, Domain, DomainId, DomainKind, Field, Game, Type};
use crate::source::Span;

/// Most places of which sets are made.
const MOST_PLACES: u64 = 1024;

/// Adds a record of each combination of indices; by these.
pub(super) fn add_products(game: &mut Game) -> Vec<(Vec<DomainId>, DomainId)> {
    let zones = game.zones.iter().map(|it| it.index.clone());
    let tracks = game.tracks.iter().map(|it| it.index.clone());
    let several: Vec<Vec<DomainId>> = zones.chain(tracks).filter(|it| it.len() > 1).collect();
    let mut products: Vec<(Vec<DomainId>, DomainId)> = Vec::new();
    for index in several {
        if products.iter().any(|(known, _)| *known == index) {
            continue;
        }
        if let Some(product) = product(game, &index) {
            let id = DomainId(u32::try_from(game.domains.len()).unwrap_or(u32::MAX));
            game.domains.push(product);
            products.push((index, id));
        }
    }
    products
}

fn product(game: &Game, index: &[DomainId]) -> Option<Domain> {
    let (mut fields, mut size) = (Vec::new(), 1_u64);
    for id in index.iter().rev() {
        let domain = game.domains.get(id.index())?;
        let base = match domain.kind {
            DomainKind::Range => {
                let last = i64::try_from(domain.size).ok()?.checked_sub(1)?;
                Base::Int(domain.lo, domain.lo.checked_add(last)?)
            }
            _ => Base::Elem(*id),
        };
        fields.insert(
            0,
            Field {
                name: String::new(),
                ty: Type::of(base),
                size: domain.size,
                stride: size,
                default: None,
                sign: None,
            },
        );
        size = size.checked_mul(domain.size)?;
    }
    (size <= MOST_PLACES).then(|| Domain {
        name: String::new(),
        lo: 0,
        size,
        kind: DomainKind::Record {
            fields,
            component: false,
        },
        show: None,
        span: Span::default(),
    })
}
