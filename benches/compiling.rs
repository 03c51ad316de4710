//! How long shipped rulebooks take to be read, checked and lowered, in milliseconds of processor time.
//!
//! `cargo bench --bench compiling [-- GAME]`

use std::time::Duration;

use adit::engine;
use adit::library::{self, Shipped};
use adit::pipeline::{self, Request};
use adit::source::Sources;
use adit::syntax::{ast::HeaderKind, parse_header};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rounds = if args.iter().any(|it| it == "--bench") {
        9
    } else {
        1
    };
    let wanted = args.iter().find(|it| !it.starts_with("--"));
    println!(
        "{:>24}   read   lower    both (least of {rounds}, in ms)",
        ""
    );
    for shipped in library::FILES {
        if wanted.is_some_and(|it| !shipped.stem().contains(it.as_str())) {
            continue;
        }
        let times = (0..rounds).filter_map(|_| times_of(shipped));
        let Some((read, lower)) = times.min_by_key(|(read, lower)| *read + *lower) else {
            println!("{:>24}   is not compiled alone", shipped.stem());
            continue;
        };
        let ms = |it: Duration| it.as_secs_f64() * 1_000.0;
        let both = ms(read + lower);
        println!(
            "{:>24} {:6.1} {:7.1} {both:7.1}",
            shipped.stem(),
            ms(read),
            ms(lower)
        );
    }
}

/// The time to read and check a rulebook with all that it amends, and the time to lower it.
fn times_of(shipped: &Shipped) -> Option<(Duration, Duration)> {
    let mut chain = vec![*shipped];
    while let HeaderKind::Amendment { base, .. } = parse_header(chain.last()?.text)?.kind {
        chain.push(library::find(&base.text)?);
    }
    chain.reverse();
    let parts: Vec<Shipped> = chain.iter().flat_map(|it| it.parts()).copied().collect();
    chain.extend(parts);
    let mut sources = Sources::new();
    let mut files = chain.iter().map(|it| sources.add(it.path, it.text));
    let request = Request {
        base: files.next()?,
        amendments: files.collect(),
        ..Request::default()
    };
    let start = cpu_time();
    let game = pipeline::compile(&sources, &request).game?;
    let checked = cpu_time();
    engine::compile(game).ok()?;
    Some((checked - start, cpu_time() - checked))
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}
