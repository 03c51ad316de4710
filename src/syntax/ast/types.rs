use super::*;

/// `x: T`, `x in S`, `x & y in S`.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The names; more than one means different members of one set whose order does not matter.
    pub names: Vec<Name>,
    /// Where its values come from.
    pub domain: ParamDomain,
    /// The whole parameter.
    pub span: Span,
}

/// Where the values of a [`Param`] come from.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamDomain {
    /// `x: T`: the whole type.
    Type(Type),
    /// `x in S`: the members of a set, the kinds in a zone.
    Set(Expr),
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a [`Type`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `bool`, `int`, `seat`, `Card`.
    Named(Name),
    /// `1..7`; both ends belong to it.
    Range(Box<Expr>, Box<Expr>),
    /// `set of T`.
    SetOf(Box<Type>),
    /// `(T, U)`.
    Tuple(Vec<Type>),
    /// `T or none`.
    OrNone(Box<Type>),
}
