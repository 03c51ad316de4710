use super::table::nodes;
use super::tree::As;
use super::*;

nodes! {
    /// `x: T`, `x in S`; in an older form `x & y in S`.
    pub struct Param = "param" walk [domain names] {
        /// The name; in an older form several, one for each member.
        names: Vec<Name> as Role::Binds(Binds::Param),
        /// Where its values come from.
        domain: ParamDomain,
        /// The whole parameter.
        span: Span,
    }

    /// Where the values of a [`Param`] come from.
    pub enum ParamDomain {
        /// `x: T`: the whole type.
        Type(ty: Type) = "type",
        /// `x in S`: the members of a set, the kinds in a zone.
        Set(set: Expr) = "in",
        /// `x in 3 of S`, `x in 0..5 of S`: so many members of a set, or of what lies in a zone.
        Several = "several" written [count " of " set] {
            /// How many: a number or a range.
            count: Expr,
            /// Of what.
            set: Expr,
        },
    }

    /// A type as it is written.
    pub struct Type {
        /// What it is.
        kind: TypeKind,
        /// Where it stands.
        span: Span,
    }

    /// What a [`Type`] is.
    pub enum TypeKind {
        /// `bool`, `int`, `seat`, `Card`.
        Named(name: Name as Role::Uses(Use::Type)),
        /// `1..7`; both ends belong to it.
        Range(from: Box<Expr> as Role::Tight, to: Box<Expr> as Role::Tight) = ".." written [from ".." to],
        /// `set of T`.
        SetOf(members: Box<Type>) = "set" written ["set of " members],
        /// `(T, U)`.
        Tuple(members: Vec<Type>) = "tuple" written ["(" members ")"],
        /// `T or none`.
        OrNone(some: Box<Type>) = "or_none" written [some " or none"],
    }
}
