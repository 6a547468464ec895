//! What the learnt value looks at, after a card was placed and before one is drawn: how many cards of the hand can be
//! played one after the other, which unseen cards would fit on the way, and how the hand hangs together.

use super::card::{Card, CardSet};
use super::state::TwinCool;
use super::value::Table;

/// The number of features.
pub const FEATURES: usize = 40;

/// The features, from 0 to 2.
pub type Features = [f32; FEATURES];

/// Longer chains are not followed: a hand has four cards after a move, and larger ones would take too long.
const LONGEST: usize = 4;

/// Steps of chains that wait to be followed; each of four levels leaves at most two piles of eight cards.
const MOST_WAITING: usize = 2 * super::card::MOST_HAND * LONGEST;

/// The features of a table, and the length of the longest chain of the hand, at most [`LONGEST`].
pub(super) struct Known {
    pub(super) numbers: Features,
    pub(super) longest: usize,
}

/// What all chains of the hand together reach.
struct Chains {
    /// Place n: the unseen cards that fit after some chain of n cards.
    fitting: [CardSet; LONGEST + 1],
    /// Place n: the most unseen cards that fit after one chain of n cards.
    most: [u32; LONGEST + 1],
    /// Place n: the chains of n cards.
    count: [u32; LONGEST + 1],
    /// The cards of the hand that some chain plays.
    reached: CardSet,
    longest: usize,
}

/// Follows all chains of the hand.
#[inline(always)]
fn chains(game: &TwinCool, table: &Table) -> Chains {
    let mut all = Chains {
        fitting: [0; LONGEST + 1],
        most: [0; LONGEST + 1],
        count: [0; LONGEST + 1],
        reached: 0,
        longest: 0,
    };
    let mut waiting = [(0, [0; 2], 0); MOST_WAITING + 1];
    waiting[0] = (table.held, table.tops.map(|top| game.fitting(top)), 0);
    let mut waiting_len = 1;
    while waiting_len > 0 {
        waiting_len -= 1;
        let (held, piles, length) = waiting[waiting_len];
        let fitting = (piles[0] | piles[1]) & table.unseen;
        all.fitting[length] |= fitting;
        all.most[length] = all.most[length].max(fitting.count_ones());
        all.count[length] += 1;
        all.longest = all.longest.max(length);
        if length == LONGEST {
            continue;
        }
        for pile in 0..2 {
            let mut rest = held & piles[pile];
            all.reached |= rest;
            while rest != 0 {
                let card = Card(rest.trailing_zeros() as u8);
                rest &= rest - 1;
                let mut next = piles;
                next[pile] = game.fitting(Some(card));
                waiting[waiting_len] = (held & !card.bit(), next, length + 1);
                waiting_len += 1;
            }
        }
    }
    all
}

/// How the cards of the hand hang together, and with the unseen cards.
#[derive(Default)]
struct Bonds {
    /// The unseen cards that fit each card, summed over the hand; over those cards that no chain reaches.
    sum: [u32; 2],
    /// The same, of the unseen cards that fit a pile.
    bridges: [u32; 2],
    /// The unseen cards that fit any card of the hand; two or more.
    any: CardSet,
    several: CardSet,
    /// Pairs of cards that fit each other, each counted twice.
    links: u32,
    /// The most cards of the hand that fit one of it.
    most_links: u32,
    /// Cards of the hand that fit no other.
    alone: u32,
}

#[inline(always)]
fn bonds(game: &TwinCool, table: &Table, on_piles: CardSet, reached: CardSet) -> Bonds {
    let mut all = Bonds::default();
    let mut rest = table.held;
    while rest != 0 {
        let card = Card(rest.trailing_zeros() as u8);
        rest &= rest - 1;
        let fitting = game.fitting(Some(card)) & !card.bit();
        let unseen = fitting & table.unseen;
        let (count, bridges) = (unseen.count_ones(), (unseen & on_piles).count_ones());
        all.several |= all.any & unseen;
        all.any |= unseen;
        all.sum[0] += count;
        all.bridges[0] += bridges;
        if reached & card.bit() == 0 {
            all.sum[1] += count;
            all.bridges[1] += bridges;
        }
        let links = (fitting & table.held).count_ones();
        all.links += links;
        all.most_links = all.most_links.max(links);
        all.alone += u32::from(links == 0);
    }
    all
}

/// The features of a table after a card was placed.
#[inline(always)]
pub(super) fn features(game: &TwinCool, table: &Table) -> Known {
    let Table { tops, held, unseen } = *table;
    let [first, second] = tops.map(|top| game.fitting(top));
    let on_piles = first | second;
    let chains = chains(game, table);
    let bonds = bonds(game, table, on_piles, chains.reached);
    // Cards of the hand count as parts of four, unseen cards as a share of all.
    let part = |count: u32| count as f32 * 0.25;
    let share = 1.0 / unseen.count_ones().max(1) as f32;
    let shared = |count: u32| count as f32 * share;
    let of = |set: CardSet| shared(set.count_ones());
    let mut numbers = [0.0; FEATURES];
    numbers[chains.longest] = 1.0;
    for length in 0..=LONGEST {
        numbers[5 + length] = shared(chains.most[length]);
        numbers[10 + length] = of(chains.fitting[length]);
    }
    let piles = [first, second].map(|pile| (unseen & pile).count_ones());
    let hand = [first, second].map(|pile| (held & pile).count_ones());
    let are_alike = matches!(tops, [Some(_), Some(top)] if first & top.bit() != 0);
    numbers[15..].copy_from_slice(&[
        unseen.count_ones() as f32 / 75.0,
        shared(piles[0].max(piles[1])),
        shared(piles[0].min(piles[1])),
        part(hand[0].max(hand[1])),
        part(hand[0].min(hand[1])),
        part((held & first & second).count_ones()),
        part((held & on_piles).count_ones()),
        part(chains.reached.count_ones()),
        shared(bonds.sum[0]),
        shared(bonds.sum[1]),
        shared(bonds.bridges[0]),
        shared(bonds.bridges[1]),
        of(bonds.any),
        of(bonds.several),
        of(bonds.any & on_piles),
        of(bonds.several & on_piles),
        bonds.links as f32 * 0.1,
        bonds.most_links as f32 * 0.3,
        part(bonds.alone),
        f32::from(u8::from(tops.contains(&None))),
        f32::from(u8::from(are_alike)),
        (chains.count[1] as f32 * 0.15).min(2.0),
        (chains.count[2] as f32 * 0.05).min(2.0),
        (chains.count[3] as f32 * 0.03).min(2.0),
        (chains.count[4] as f32 * 0.02).min(2.0),
    ]);
    Known { numbers, longest: chains.longest }
}
