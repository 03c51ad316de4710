//! The macro that makes the nodes of the tree from tables, with what follows from them.

/// Declares nodes: their fields in the order in which the canonical form has them, and what follows from
/// them, the walks, the canonical form (see [`Tree`](super::Tree)) and the places.
///
/// ```text
/// name: Name as Binds(…)      a field with its role; without one it is `Plain`
/// = "turns"                   the tag in the canonical form; without one its parts stand for it
/// word "none"                 of a node without parts: all of its canonical form
/// walk [from { name body }]   the order in which names get known, if not that of the fields:
///     { … }                   something whose locals end with it
///     again(c) { … }          the same; it may be gone through again if `c`
///     scope(c) { … }          the same; without `c` the locals go on
///     when(c) [ … ]           only if `c`
///     "it"                    a word that is known from here on
///     (field Role)            a field in another role than its own
/// written ["turns " name …]   words and fields as they are written, if not the fields alone:
///     ?field[ … ]             only if there is one
///     when(c) [ … ]           only if `c`
///     {field.part}            a part of a field
///                         without it, the parts are written one after the other, or the `word`
/// between " | "               what stands between two of its kind, if not a comma
/// ```
///
/// What stands behind `as`, `=` and in `(c)` may ask other fields. A node in a role of its own hands it on
/// by the name behind its own: `struct Binder(role)`.
macro_rules! nodes {
    () => {};

    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<$param:ident>)? $(($role:ident))? $(= $tag:tt)? $(walk [ $($walk:tt)* ])?
        $(written [ $($written:tt)* ])? $(between $between:literal)? {
            $( $(#[$fmeta:meta])* $field:ident: $ty:ty $(as $as:expr)? ),* $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name $(<$param>)? { $( $(#[$fmeta])* pub $field: $ty ),* }

        #[allow(unused_variables, reason = "fields that say nothing here")]
        impl $(<$param: Tree>)? Tree for $name $(<$param>)? {
            fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, outer: Role) {
                $( let $role = outer; )?
                let $name { $($field),* } = self;
                $( let $field = As($field, nodes!(@role $($as)?)); )*
                nodes!(@either walk v [$($($walk)*)?] [$($field)*]);
            }

            fn walk_mut<V: Changer>(&mut self, v: &mut V, outer: Role) {
                $( let $role = outer; )?
                let $name { $($field),* } = self;
                $( let $field = As($field, nodes!(@role $($as)?)); )*
                nodes!(@either walk_mut v [$($($walk)*)?] [$($field)*]);
            }

            fn write<W: Writer>(&self, w: &mut W, outer: Role) {
                $( let $role = outer; )?
                let $name { $($field),* } = self;
                $( let $field = As($field, nodes!(@role $($as)?)); )*
                nodes!(@written w [] [$($($written)*)?] [$($field)*]);
            }

            $( fn between() -> &'static str { $between } )?

            fn canon(&self, canon: &mut Canon) {
                $( let $role = Role::Plain; )?
                let $name { $($field),* } = self;
                nodes!(@canon canon [] [$($tag)?] $([$field [$($as)?]])*);
            }
        }

        impl $(<$param: Placed>)? Placed for $name $(<$param>)? {
            fn moved(&mut self, by: u32) {
                let $name { $($field),* } = self;
                $( $field.moved(by); )*
            }
        }

        nodes! { $($rest)* }
    };

    (
        $(#[$meta:meta])*
        pub enum $name:ident $(($role:ident))? $(between $between:literal)? {
            $(
                $(#[$vmeta:meta])*
                $variant:ident
                $( ( $( $it:ident: $inner:ty $(as $ias:expr)? ),+ ) )?
                $( = $tag:tt )?
                $( word $word:literal )?
                $( walk [ $($walk:tt)* ] )?
                $( written [ $($written:tt)* ] )?
                $( { $( $(#[$fmeta:meta])* $field:ident: $ty:ty $(as $as:expr)? ),* $(,)? } )?
            ),* $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $( $(#[$vmeta])* $variant $( ( $($inner),+ ) )? $( { $( $(#[$fmeta])* $field: $ty ),* } )? ),*
        }

        #[allow(unused_variables, reason = "fields that say nothing here")]
        impl Tree for $name {
            fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, outer: Role) {
                $( let $role = outer; )?
                match self { $(
                    $name::$variant $( ( $($it),+ ) )? $( { $($field),* } )? => {
                        $( $( let $it = As($it, nodes!(@role $($ias)?)); )+ )?
                        $( $( let $field = As($field, nodes!(@role $($as)?)); )* )?
                        nodes!(@either walk v [$($($walk)*)?] [$($($it)+)? $($($field)*)?]);
                    }
                )* }
            }

            fn walk_mut<V: Changer>(&mut self, v: &mut V, outer: Role) {
                $( let $role = outer; )?
                match self { $(
                    $name::$variant $( ( $($it),+ ) )? $( { $($field),* } )? => {
                        $( $( let $it = As($it, nodes!(@role $($ias)?)); )+ )?
                        $( $( let $field = As($field, nodes!(@role $($as)?)); )* )?
                        nodes!(@either walk_mut v [$($($walk)*)?] [$($($it)+)? $($($field)*)?]);
                    }
                )* }
            }

            fn write<W: Writer>(&self, w: &mut W, outer: Role) {
                $( let $role = outer; )?
                match self { $(
                    $name::$variant $( ( $($it),+ ) )? $( { $($field),* } )? => {
                        $( $( let $it = As($it, nodes!(@role $($ias)?)); )+ )?
                        $( $( let $field = As($field, nodes!(@role $($as)?)); )* )?
                        nodes!(@written w [$($word)?] [$($($written)*)?] [$($($it)+)? $($($field)*)?]);
                    }
                )* }
            }

            $( fn between() -> &'static str { $between } )?

            fn canon(&self, canon: &mut Canon) {
                $( let $role = Role::Plain; )?
                match self { $(
                    $name::$variant $( ( $($it),+ ) )? $( { $($field),* } )? => {
                        nodes!(@canon canon [$($word)?] [$($tag)?]
                            $($([$it [$($ias)?]])+)? $($([$field [$($as)?]])*)?);
                    }
                )* }
            }
        }

        #[allow(unused_variables, reason = "words have no place")]
        impl Placed for $name {
            fn moved(&mut self, by: u32) {
                match self { $(
                    $name::$variant $( ( $($it),+ ) )? $( { $($field),* } )? => {
                        $( $( $it.moved(by); )+ )?
                        $( $( $field.moved(by); )* )?
                    }
                )* }
            }
        }

        nodes! { $($rest)* }
    };

    (@role) => { Role::Plain };
    (@role $role:expr) => { $role };

    (@either $walk:ident $v:ident [] [$($field:ident)*]) => {
        $( $field.0.$walk($v, $field.1); )*
    };
    (@either $walk:ident $v:ident [$($seq:tt)+] $all:tt) => {
        nodes!(@seq $walk $v $($seq)+)
    };

    (@seq $walk:ident $v:ident) => {};
    (@seq $walk:ident $v:ident { $($in:tt)* } $($rest:tt)*) => {
        nodes!(@seq $walk $v again(false) { $($in)* } $($rest)*)
    };
    (@seq $walk:ident $v:ident again($again:expr) { $($in:tt)* } $($rest:tt)*) => {
        $v.enter($again);
        nodes!(@seq $walk $v $($in)*);
        $v.leave();
        nodes!(@seq $walk $v $($rest)*)
    };
    (@seq $walk:ident $v:ident scope($scope:expr) { $($in:tt)* } $($rest:tt)*) => {
        let scope = $scope;
        if scope {
            $v.enter(false);
        }
        nodes!(@seq $walk $v $($in)*);
        if scope {
            $v.leave();
        }
        nodes!(@seq $walk $v $($rest)*)
    };
    (@seq $walk:ident $v:ident when($is:expr) [ $($in:tt)* ] $($rest:tt)*) => {
        if $is {
            nodes!(@seq $walk $v $($in)*);
        }
        nodes!(@seq $walk $v $($rest)*)
    };
    (@seq $walk:ident $v:ident ($field:ident $role:expr) $($rest:tt)*) => {
        $field.0.$walk($v, $role);
        nodes!(@seq $walk $v $($rest)*)
    };
    (@seq $walk:ident $v:ident $word:literal $($rest:tt)*) => {
        $v.know($word);
        nodes!(@seq $walk $v $($rest)*)
    };
    (@seq $walk:ident $v:ident $field:ident $($rest:tt)*) => {
        $field.0.$walk($v, $field.1);
        nodes!(@seq $walk $v $($rest)*)
    };

    (@written $w:ident [$word:literal] [] $all:tt) => {
        $w.word($word)
    };
    (@written $w:ident [] [] [$($field:ident)*]) => {
        $( $field.0.write($w, $field.1); )*
    };
    (@written $w:ident $word:tt [$($seq:tt)+] $all:tt) => {
        nodes!(@write $w $($seq)+)
    };

    (@write $w:ident) => {};
    (@write $w:ident $word:literal $($rest:tt)*) => {
        $w.word($word);
        nodes!(@write $w $($rest)*)
    };
    (@write $w:ident ? $field:ident [ $($in:tt)* ] $($rest:tt)*) => {
        nodes!(@write $w when($field.is_there()) [ $($in)* ] $($rest)*)
    };
    (@write $w:ident when($is:expr) [ $($in:tt)* ] $($rest:tt)*) => {
        if $is {
            nodes!(@write $w $($in)*);
        }
        nodes!(@write $w $($rest)*)
    };
    (@write $w:ident { $part:expr } $($rest:tt)*) => {
        $part.write($w, Role::Plain);
        nodes!(@write $w $($rest)*)
    };
    (@write $w:ident ($field:ident $role:expr) $($rest:tt)*) => {
        $field.0.write($w, $role);
        nodes!(@write $w $($rest)*)
    };
    (@write $w:ident $field:ident $($rest:tt)*) => {
        $field.0.write($w, $field.1);
        nodes!(@write $w $($rest)*)
    };

    (@canon $canon:ident [$word:literal] [] $($field:tt)*) => { $canon.word($word) };
    (@canon $canon:ident [] [$tag:tt] $([$field:ident [$($as:expr)?]])*) => {
        $canon.begin($tag);
        $(
            if nodes!(@role $($as)?).is_canonical($field) {
                $canon.part($field);
            }
        )*
        $canon.end();
    };
    (@canon $canon:ident [] [] $([$field:ident [$($as:expr)?]])*) => {
        $(
            if nodes!(@role $($as)?).is_canonical($field) {
                $field.canon($canon);
            }
        )*
    };
}
pub(super) use nodes;
