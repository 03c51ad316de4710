//! The rows of a table.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Base, DomainId, DomainKind, Field, NONE, TableId, Type};
use crate::syntax::ast::{self, Key};

use super::constant::Const;
use super::{Checked, Checker, Reported};

impl<'a> Checker<'a> {
    /// Fills the cells of a table; done once.
    pub(super) fn table_rows(&mut self, it: &'a ast::TableDecl, id: TableId) -> Checked<()> {
        if !self.rows_done.insert(id) {
            return match self.rows_failed.contains(&id) {
                true => Err(Reported),
                false => Ok(()),
            };
        }
        let found = self.filled_rows(it, id);
        if found.is_err() {
            self.rows_failed.insert(id);
        }
        found
    }

    fn filled_rows(&mut self, it: &'a ast::TableDecl, id: TableId) -> Checked<()> {
        let Some(table) = self.game.tables.get(id.index()) else {
            return Err(Reported);
        };
        let (index, ty, words) = (table.index.clone(), table.ty, table.words);
        let size = index.iter().map(|it| self.size(*it)).product::<u64>();
        let mut cells: Vec<Option<Vec<i64>>> = vec![None; usize::try_from(size).unwrap_or(0)];
        let mut places = rustc_hash::FxHashMap::default();
        let mut sound = true;
        let mut rows = Vec::new();
        for row in &it.rows {
            let at = self.row_place(row, &index);
            let cell = self.row_value(row, ty);
            let (Ok(at), Ok(cell)) = (at, cell) else {
                sound = false;
                continue;
            };
            if let Some(earlier) = places.insert(at, row.span) {
                self.report(
                    Diagnostic::new(codes::DUPLICATE_NAME, "two rows have the same keys")
                        .label(row.span, "here")
                        .label(earlier, "and here"),
                );
                sound = false;
            }
            if let Some(place) = cells.get_mut(at) {
                *place = Some(cell);
                rows.push((at, row.span));
            }
        }
        let otherwise = match &it.otherwise {
            Some(value) => {
                let value = self.typed(value, ty)?;
                let folded = self.constant_or_error(&value)?;
                Some(self.cell(ty, &folded).ok_or(Reported)?)
            }
            None => None,
        };
        if !sound {
            return Err(Reported);
        }
        if otherwise.is_none()
            && let Some(missing) = cells.iter().position(Option::is_none)
        {
            let keys = self.keys_at(&index, missing);
            let count = cells.iter().filter(|it| it.is_none()).count();
            let message = match count {
                1 => format!("the table `{}` has no row for `{keys}`", it.name),
                _ => format!(
                    "the table `{}` has no row for `{keys}` and {} more",
                    it.name,
                    count - 1
                ),
            };
            return Err(self.complain(
                codes::MISSING_CASE,
                it.name.span,
                message,
                match self.game.amendments.is_empty() {
                    true => "add the rows, or write `else` and a value before the brace".to_owned(),
                    false => format!(
                        "add the rows where the values are added: `add rows to {} {{ … }}`",
                        it.name
                    ),
                },
            ));
        }
        let filled = cells
            .into_iter()
            .flat_map(|it| match it.or_else(|| otherwise.clone()) {
                Some(cell) => cell,
                None => vec![NONE; words],
            })
            .collect();
        if let Some(table) = self.game.tables.get_mut(id.index()) {
            table.cells = filled;
            table.rows = rows;
        }
        Ok(())
    }

    fn row_place(&mut self, row: &ast::Row, index: &[DomainId]) -> Checked<usize> {
        if row.keys.len() != index.len() {
            let message = format!(
                "a row here has {} keys, not {}",
                index.len(),
                row.keys.len()
            );
            return Err(self.error(codes::WRONG_ARGUMENTS, row.span, message));
        }
        let mut at = 0_usize;
        for (key, domain) in row.keys.iter().zip(index) {
            let (lo, size) = self.domain(*domain).map_or((0, 0), |it| (it.lo, it.size));
            let value = match key {
                Key::Name(name) => match self.value_of(*domain, name.as_str()) {
                    Some(value) => {
                        self.note_inside(name, *domain);
                        value
                    }
                    None => {
                        let list = self.value_names(*domain);
                        let of = self.type_name(self.element(*domain));
                        let message = format!("`{name}` is not {of}");
                        return Err(self.not_among(codes::NO_SUCH_VALUE, name, message, &list));
                    }
                },
                Key::Number(number) => {
                    let value = i64::from(number.value);
                    let range = matches!(
                        self.domain(*domain).map(|it| &it.kind),
                        Some(DomainKind::Range)
                    );
                    let inside = value >= lo && (value - lo).unsigned_abs() < size;
                    if !range || !inside {
                        let of = self.type_name(self.element(*domain));
                        let message = format!("{value} is not {of}");
                        return Err(self.error(codes::NO_SUCH_VALUE, number.span, message));
                    }
                    value
                }
            };
            let place = usize::try_from(value - lo).unwrap_or(0);
            at = at * usize::try_from(size).unwrap_or(0) + place;
        }
        Ok(at)
    }

    fn row_value(&mut self, row: &'a ast::Row, ty: Type) -> Checked<Vec<i64>> {
        let record = match ty.base {
            Base::Elem(id) => match self.domain(id).map(|it| &it.kind) {
                Some(DomainKind::Record { fields, .. }) => Some((id, fields.clone())),
                _ => None,
            },
            _ => None,
        };
        // A single cell may be the whole record.
        if let (Some((id, fields)), true) = (
            record,
            row.cells.len() != 1
                || row.cells.iter().any(|it| it.field.is_some())
                || !self.is_whole(row, ty),
        ) {
            return self.record_row(row, id, &fields).map(|cell| vec![cell]);
        }
        let [cell] = row.cells.as_slice() else {
            let message = format!("a row here has one value, not {}", row.cells.len());
            return Err(self.error(codes::WRONG_ARGUMENTS, row.span, message));
        };
        if let Some(field) = &cell.field {
            let message = format!("a value here has no field `{field}`");
            return Err(self.error(codes::UNKNOWN_FIELD, field.span, message));
        }
        let value = self.typed(&cell.value, ty)?;
        let folded = self.constant_or_error(&value)?;
        self.cell(ty, &folded)
            .ok_or_else(|| self.out_of_bounds(ty, &cell.value))
    }

    /// Whether the single cell of a row is written as a whole record, or as none.
    fn is_whole(&self, row: &ast::Row, ty: Type) -> bool {
        let Base::Elem(id) = ty.base else {
            return false;
        };
        let name = self.domain(id).map_or("", |it| it.name.as_str());
        match row.cells.first().map(|it| &it.value.kind) {
            Some(ast::ExprKind::None) => true,
            Some(ast::ExprKind::Call(call)) => call.name.text == name,
            _ => false,
        }
    }

    fn record_row(&mut self, row: &'a ast::Row, id: DomainId, fields: &[Field]) -> Checked<i64> {
        let mut values: Vec<Option<i64>> = vec![None; fields.len()];
        for (at, cell) in row.cells.iter().enumerate() {
            let place = match &cell.field {
                None => at,
                Some(name) => match fields.iter().position(|it| it.name == name.text) {
                    Some(place) => place,
                    None => {
                        let list: Vec<String> = fields.iter().map(|it| it.name.clone()).collect();
                        let of = self.domain(id).map_or(String::new(), |it| it.name.clone());
                        let message = format!("`{of}` has no field `{name}`");
                        return Err(self.not_among(codes::UNKNOWN_FIELD, name, message, &list));
                    }
                },
            };
            let (Some(field), Some(slot)) = (fields.get(place), values.get_mut(place)) else {
                let message = format!("a row here has at most {} values", fields.len());
                return Err(self.error(codes::WRONG_ARGUMENTS, cell.value.span, message));
            };
            if slot.is_some() {
                let message = format!("the field `{}` is given twice", field.name);
                return Err(self.error(codes::DUPLICATE_NAME, cell.value.span, message));
            }
            let value = self.typed(&cell.value, field.ty)?;
            let folded = self.constant_or_error(&value)?;
            *slot = Some(match self.field_index(field.ty, field.size, &folded) {
                Some(index) => index,
                None => return Err(self.out_of_bounds(field.ty, &cell.value)),
            });
        }
        let mut total = 0_i64;
        for (field, value) in fields.iter().zip(values) {
            let index = match (value, &field.default) {
                (Some(index), _) => index,
                (None, Some(default)) => {
                    let folded = self.constant_or_error(&default.clone())?;
                    self.field_index(field.ty, field.size, &folded)
                        .ok_or(Reported)?
                }
                (None, None) => {
                    let message = format!("the row has no value for `{}`", field.name);
                    return Err(self.complain(
                        codes::MISSING_CASE,
                        row.span,
                        message,
                        "add the value, or give the field a default",
                    ));
                }
            };
            total = total.saturating_add(
                index.saturating_mul(i64::try_from(field.stride).unwrap_or(i64::MAX)),
            );
        }
        Ok(total)
    }

    fn out_of_bounds(&mut self, ty: Type, expr: &ast::Expr) -> Reported {
        let of = self.type_name(ty);
        self.error(
            codes::OUT_OF_RANGE,
            expr.span,
            format!("this does not fit {of}"),
        )
    }

    /// Returns the index of a field's value among its values.
    pub(super) fn field_index(&self, ty: Type, size: u64, value: &Const) -> Option<i64> {
        let last = i64::try_from(size).ok()? - 1;
        let index = match (value, ty.base) {
            (Const::Scalar(NONE), _) => return ty.optional.then_some(last),
            (Const::Scalar(value), Base::Int(lo, _)) => value.checked_sub(lo)?,
            (Const::Scalar(value), _) => *value,
            (Const::Set(_), _) => self.bits(ty, value)?,
        };
        let most = if ty.optional { last - 1 } else { last };
        (0..=most).contains(&index).then_some(index)
    }

    /// Returns how a value is kept in a cell.
    fn cell(&self, ty: Type, value: &Const) -> Option<Vec<i64>> {
        let one = match (value, ty.base) {
            (Const::Scalar(NONE), _) => ty.optional.then_some(NONE),
            (Const::Scalar(value), Base::Int(lo, hi)) => {
                (lo..=hi).contains(value).then_some(*value)
            }
            (Const::Scalar(value), _) => Some(*value),
            (Const::Set(_), _) => return self.words(ty, value),
        };
        one.map(|it| vec![it])
    }

    /// The bits of a set, in as many words as its elements need.
    fn words(&self, ty: Type, value: &Const) -> Option<Vec<i64>> {
        let (Base::Set(domain), Const::Set(members)) = (ty.base, value) else {
            return None;
        };
        let domain = self.domain(domain)?;
        let mut words = vec![0; usize::try_from(domain.size.div_ceil(64).max(1)).ok()?];
        for member in members {
            let at = usize::try_from(member - domain.lo).ok()?;
            *words.get_mut(at / 64)? |= 1_i64 << (at % 64);
        }
        Some(words)
    }

    fn bits(&self, ty: Type, value: &Const) -> Option<i64> {
        let (Base::Set(domain), Const::Set(members)) = (ty.base, value) else {
            return None;
        };
        let lo = self.domain(domain)?.lo;
        let mut bits = 0_i64;
        for member in members {
            bits |= 1_i64.checked_shl(u32::try_from(member - lo).ok()?)?;
        }
        Some(bits)
    }

    fn keys_at(&self, index: &[DomainId], mut at: usize) -> String {
        let mut keys = Vec::new();
        for domain in index.iter().rev() {
            let size = usize::try_from(self.size(*domain)).unwrap_or(1).max(1);
            let place = at % size;
            at /= size;
            let lo = self.domain(*domain).map_or(0, |it| it.lo);
            let names = self.value_names(*domain);
            let number = lo + i64::try_from(place).unwrap_or(0);
            keys.push(
                names
                    .get(place)
                    .cloned()
                    .unwrap_or_else(|| number.to_string()),
            );
        }
        keys.reverse();
        keys.join(", ")
    }
}
