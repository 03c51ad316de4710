//! Products of values.

use super::Gen;
use super::aggregate::levels_of;
use super::nest::Sink;
use crate::engine::op::{Op, Reg};
use crate::model::{Aggregate, Type};

impl Gen<'_, '_> {
    pub(super) fn product_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) {
        let (product, one) = (self.temp(), self.constant(1));
        self.mov(product, one);
        let (levels, conds) = levels_of(&aggregate.binders);
        let Some(value) = &aggregate.value else {
            return self.mov(d, one);
        };
        let mut each = |r#gen: &mut Gen<'_, '_>, copies: Option<Reg>| {
            let a = r#gen.value_there(value);
            let times = Op::Mul {
                d: product,
                a: product,
                b: a,
            };
            let Some(copies) = copies else {
                return r#gen.calculated(times, product, ty);
            };
            let (left, zero) = (r#gen.temp(), r#gen.constant(0));
            let (top, done) = (r#gen.label(), r#gen.label());
            r#gen.mov(left, copies);
            r#gen.bind(top);
            let to = r#gen.to(done);
            r#gen.op(Op::JumpLe {
                a: left,
                b: zero,
                to,
            });
            r#gen.calculated(times, product, ty);
            r#gen.op(Op::AddK {
                d: left,
                a: left,
                k: -1,
            });
            r#gen.loop_to(top);
            r#gen.bind(done);
        };
        self.nest(&levels, &conds, &mut Sink::Each(&mut each));
        self.mov(d, product);
    }
}
