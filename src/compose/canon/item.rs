use super::canonical;
use crate::syntax::ast::{self, Canon, Tree};

canonical! {
    Header "game" { name seats history } { docs kind title tail version sources span }
    EnumDecl "enum" { name cyclic values }
    EnumValue "value" { name symbol plain } { span }
    RecordDecl "record" { name fields }
    ComponentDecl "component" { name fields }
    FieldDecl "field" { name ty default } { span }
    Supply "supply" { count component condition place }
    Meeting "meeting" { ports turn }
    Setting "setting" { name values } { intent text under edits }
    Reading "reading" { name default } { docs text tail edits span }
    ZoneDecl "zone" { name index kind component capacity fields visibility }
    Visibility "visible" { audience } { span }
    TrackDecl "track" { name index ty start visibility }
    TableDecl "table" { name index ty otherwise rows }
    Row "row" { keys cells } { tail span }
    Cell "cell" { field value }
    Define "define" { name params ty depth value }
    Event "event" { name params body }
    Action "action" { name params text requires body }
    Require "require" { label condition } { docs message tail span }
    Flow "flow" { name params result depth body }
    Ending "ending" { name params body }
    ShowDecl "show" { name template }
}

impl Tree for ast::SpaceDecl {
    fn canon(&self, canon: &mut Canon) {
        let (name, shape, axes) = (&self.name, &self.shape, &self.axes);
        match &self.meeting {
            // So that rules without parts that meet have the hash that they always had.
            None => canon.node("space", &[name, shape, axes]),
            Some(meeting) => canon.node("space", &[name, shape, axes, meeting]),
        }
    }
}

impl Tree for ast::History {
    fn canon(&self, canon: &mut Canon) {
        match self.of.as_slice() {
            [] => self.most.canon(canon),
            _ => canon.node("history", &[&self.of, &self.most]),
        }
    }
}

impl Tree for ast::Seats {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Seats::Named(names) => canon.node("seats", &[names]),
            ast::Seats::Numbered { least, most, stem } => {
                canon.node("numbered", &[least, most, stem]);
            }
        }
    }
}

impl Tree for ast::ItemKind {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::ItemKind::Enum(it) => it.canon(canon),
            ast::ItemKind::Record(it) => it.canon(canon),
            ast::ItemKind::Component(it) => it.canon(canon),
            ast::ItemKind::Supply(it) => it.canon(canon),
            ast::ItemKind::Space(it) => it.canon(canon),
            ast::ItemKind::Setting(it) => it.canon(canon),
            ast::ItemKind::Zone(it) => it.canon(canon),
            ast::ItemKind::Track(it) => it.canon(canon),
            ast::ItemKind::Table(it) => it.canon(canon),
            ast::ItemKind::Define(it) => it.canon(canon),
            ast::ItemKind::Event(it) => it.canon(canon),
            ast::ItemKind::Action(it) => it.canon(canon),
            ast::ItemKind::Flow(it) => it.canon(canon),
            ast::ItemKind::Ending(it) => it.canon(canon),
            ast::ItemKind::Show(it) => it.canon(canon),
            // Edits and their kin are worked in before rules are written down.
            ast::ItemKind::Invariant(_)
            | ast::ItemKind::Picture(_)
            | ast::ItemKind::Aside(_)
            | ast::ItemKind::Sentences(_)
            | ast::ItemKind::Ruling(_)
            | ast::ItemKind::Study(_)
            | ast::ItemKind::Edit(_)
            | ast::ItemKind::Relation(_)
            | ast::ItemKind::Resolve(_) => {}
        }
    }
}

impl Tree for ast::Axis {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Axis::Named { name, ty } => canon.node("axis", &[name, ty]),
            ast::Axis::Value(value) => value.canon(canon),
        }
    }
}

impl Tree for ast::SettingValues {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::SettingValues::Typed { ty, default } => canon.node("typed", &[ty, default]),
            ast::SettingValues::Readings(readings) => readings.canon(canon),
        }
    }
}

impl Tree for ast::ZoneKind {
    fn canon(&self, canon: &mut Canon) {
        canon.word(match self {
            ast::ZoneKind::One => "one",
            ast::ZoneKind::Bag => "bag",
            ast::ZoneKind::Pile => "pile",
        });
    }
}

impl Tree for ast::Key {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Key::Name(name) => name.canon(canon),
            ast::Key::Number(number) => number.canon(canon),
        }
    }
}
