//! The search: its seed, its memory, its threads, what it counts, and how strong it is.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use renju::hidden::twin_cool::{
    Card, GameState, KeyKind, Manner, Observation, Placement, Player, RolloutKind, Rules, Strategy, TwinCool,
    outlook, play_game,
};
use renju::hidden::{
    Determinizations, Edge, Forest, HiddenGame, IsMcts, LEAST_NODES, Report, SearchOptions, Tree, best_edge,
    merged,
};
use renju::types::Random;

use super::{GO_ON, dealt, full, iterations, later, moves, open, search, visits};

// The search.

#[test]
fn the_seed_decides_everything() {
    let game = full();
    let observation = open(&game, 3).next().unwrap().observe().unwrap();
    for rollout in [RolloutKind::Random, RolloutKind::Heuristic] {
        for determinizations in
            [Determinizations::Always, Determinizations::Fixed(7), Determinizations::Adaptive { least: 10 }]
        {
            let options = SearchOptions { determinizations, ..iterations(300) };
            let once = search(&game, rollout, options, &observation, 1);
            assert_eq!(once, search(&game, rollout, options, &observation, 1));
            assert_ne!(once.0, search(&game, rollout, options, &observation, 2).0);
        }
    }
}

#[test]
fn every_iteration_counts_once_at_the_root() {
    for kind in KeyKind::ALL {
        let game = TwinCool::new(Rules::FULL, kind);
        for plies in [0, 2, 5] {
            let state = open(&game, plies).next().unwrap();
            let legal = moves(&game, &state);
            let (edges, report) =
                search(&game, RolloutKind::Random, iterations(500), &state.observe().unwrap(), 1);
            assert_eq!(edges.iter().map(|edge| edge.mv).collect::<Vec<_>>(), legal);
            assert_eq!((report.iterations, visits(&edges)), (500, 500));
            for edge in &edges {
                // The hand and the tops are known, so all moves are legal in all determinizations.
                assert_eq!(edge.available, 500);
                assert!(edge.visits > 0 && edge.visits <= edge.available);
                // At least the card itself is played.
                assert!(edge.mean() >= f64::from(state.score() + 10));
            }
            // An iteration adds one set at most, besides the root.
            assert!(report.nodes <= 501 && report.created == report.nodes as u64);
            assert!(report.visits >= 500 && report.sharing() > 0.0 && report.sharing() < 1.0);
        }
    }
}

#[test]
fn nothing_is_said_of_a_game_that_is_over() {
    let game = full();
    let state = later(&game, 1, 100);
    assert_eq!(moves(&game, &state), []);
    let (edges, report) = search(&game, RolloutKind::Random, iterations(20), &state.observe().unwrap(), 1);
    assert_eq!((edges.len(), report.nodes), (0, 0));
    let mut player = Player::new(&game, Strategy::IsMcts(iterations(20).into()));
    assert!(player.advise(&state, &mut Random::new(1), &GO_ON, Manner::PLAIN).unwrap().is_none());
}

#[test]
fn memory_that_is_full_forgets_what_was_not_used_for_longest() {
    let mut tree: Tree<u32, u8> = Tree::new(4);
    for key in [7, 1, 2, 3] {
        tree.make_room(&7);
        tree.visit(key);
    }
    tree.visit(1);
    assert_eq!((tree.len(), tree.traffic()), (4, (5, 4)));
    let (place, _) = tree.visit(1);
    tree.node(place).edges.push(Edge { mv: 9, visits: 3, available: 5, total: 1.5, prior: None });
    // The root stays, although it was not used for longest, and one more.
    tree.make_room(&7);
    let kept: Vec<u32> = (1..=7).filter(|key| tree.find(key).is_some()).collect();
    assert_eq!(kept, [1, 7]);
    // What is kept is kept whole.
    assert_eq!(tree.find(&1).unwrap().edges[0].visits, 3);
    assert!(!tree.visit(1).1 && tree.visit(2).1);
    tree.clear();
    assert!(tree.is_empty() && tree.find(&1).is_none());
}

#[test]
fn a_tree_is_never_larger_than_allowed() {
    for most in 0..20 {
        let mut tree: Tree<u32, u8> = Tree::new(most);
        let most = most.max(LEAST_NODES);
        for key in 0..100 {
            // A new root every ten steps, and a step from it.
            let root = key / 10 * 10;
            tree.make_room(&root);
            assert!(tree.find(&root).is_some() == (key > root));
            tree.visit(root);
            let (place, is_new) = tree.visit(key);
            assert!(is_new == (key != root) && place < tree.len());
            assert!(tree.len() <= most, "{} sets, {most} allowed", tree.len());
            assert!(tree.find(&key).is_some() && tree.find(&root).is_some());
        }
        assert!(tree.len() >= most / 2, "{} sets kept of {most}", tree.len());
    }
}

#[test]
fn a_search_with_little_memory_still_gives_legal_moves() {
    let game = TwinCool::new(Rules::FULL, KeyKind::Played);
    for most_nodes in [1, 2, 3, 4, 5, 8, 50, 100] {
        let options = SearchOptions { most_nodes, keep: true, ..iterations(400) };
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, options);
        let mut random = Random::new(1);
        let mut state = dealt(Rules::FULL, 4);
        loop {
            let legal = moves(&game, &state);
            if legal.is_empty() {
                break;
            }
            let (edges, report) =
                searcher.search(&state.observe().unwrap(), &mut random, &GO_ON, &mut |_| {});
            assert!(report.nodes <= most_nodes.max(LEAST_NODES), "{} sets", report.nodes);
            // Nothing of what was tried is lost, and all moves are known.
            assert_eq!(report.iterations, 400);
            assert!(visits(&edges) >= 400);
            assert_eq!(edges.len(), legal.len());
            assert!(edges.iter().all(|edge| legal.contains(&edge.mv) && edge.visits <= edge.available));
            assert!(edges.iter().all(|edge| edge.mean().is_finite()));
            game.play(&mut state, best_edge(&edges).unwrap().mv);
        }
    }
}

#[test]
fn what_was_learnt_is_kept_only_if_asked_for() {
    let game = full();
    let state = dealt(Rules::FULL, 9);
    let observation = state.observe().unwrap();
    for keep in [false, true] {
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, SearchOptions { keep, ..iterations(300) });
        let mut random = Random::new(1);
        let mut again = |searcher: &mut IsMcts<'_, _, _>, seen: &Observation| {
            searcher.search(seen, &mut random, &GO_ON, &mut |_| {})
        };
        let (edges, first) = again(&mut searcher, &observation);
        assert_eq!(visits(&edges), 300);
        let (edges, second) = again(&mut searcher, &observation);
        assert_eq!(visits(&edges), if keep { 600 } else { 300 });
        // The report is about this search alone, the tree about all.
        assert_eq!(second.iterations, 300);
        assert!(second.visits < 2 * first.visits);
        assert_eq!(second.nodes as u64, second.created + if keep { first.created } else { 0 });
        // The sets after the move that was played are known already.
        let mut next = state.clone();
        game.play(&mut next, best_edge(&edges).unwrap().mv);
        let (edges, third) = again(&mut searcher, &next.observe().unwrap());
        assert!(if keep { third.nodes > second.nodes } else { visits(&edges) == 300 });
        searcher.clear();
        let (edges, last) = again(&mut searcher, &observation);
        assert_eq!((visits(&edges), last.nodes as u64), (300, last.created));
    }
}

#[test]
fn a_tree_that_is_kept_knows_what_moves_promise() {
    let game = full();
    let options = SearchOptions { keep: true, ..iterations(2_000) };
    for state in open(&game, 2).take(5) {
        let mut searcher = IsMcts::new(&game, RolloutKind::Heuristic, options);
        let (edges, _) = searcher.search(&state.observe().unwrap(), &mut Random::new(1), &GO_ON, &mut |_| {});
        let mut next = state.clone();
        game.play(&mut next, best_edge(&edges).unwrap().mv);
        let legal = moves(&game, &next);
        let (edges, _) = searcher.search(&next.observe().unwrap(), &mut Random::new(2), &GO_ON, &mut |_| {});
        assert_eq!(edges.len(), legal.len());
        for edge in edges {
            assert_eq!(edge.prior, Some(outlook(&game, &next, edge.mv)));
        }
    }
}

#[test]
fn trees_share_the_time() {
    let game = full();
    let observation = dealt(Rules::FULL, 1).observe().unwrap();
    // The iterations of one tree in a time, and of many trees, one after the other, in the same time.
    const TREES: usize = 128;
    let time = Duration::from_millis(40);
    let options = SearchOptions { time: Some(time), ..iterations(u32::MAX) };
    let counts = [1, TREES].map(|trees| {
        let start = Instant::now();
        let mut forest = Forest::new(&game, &RolloutKind::Random, options, trees);
        let (_, report) = forest.search(&observation, &mut Random::new(1), &GO_ON, &mut |_, _| {});
        (report.iterations, start.elapsed())
    });
    assert!(counts.iter().all(|&(count, _)| count > 100), "{counts:?}");
    // Not for every tree as long as for one, even if a busy machine gives us a sixtieth of its time.
    assert!(counts[1].1 < TREES as u32 / 2 * time, "{counts:?}");
}

#[test]
fn draws_follow_the_deck_that_was_told() {
    let game = full();
    let mut random = Random::new(8);
    for seed in 0..50 {
        let observation = later(&game, seed, 4).observe().unwrap();
        let mut state = game.determinize(&observation, &mut random);
        let mut deck = state.deck();
        while let Some(&mv) = moves(&game, &state).last() {
            let before = state.held();
            game.play(&mut state, mv);
            assert_eq!((state.held() & !before).count_ones(), 1);
            assert_eq!(Some(state.held() & !before), deck.pop().map(Card::bit));
            assert_eq!(state.deck(), deck);
        }
    }
}

#[test]
fn a_hundred_searches_do_not_grow_the_tree() {
    let game = full();
    for (keep, most_nodes) in [(false, 100_000), (true, 2_000), (true, 100_000)] {
        let options = SearchOptions { keep, most_nodes, ..iterations(200) };
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, options);
        let mut random = Random::new(3);
        let (mut most_bytes, mut created) = (0, 0);
        for _ in 0..100 {
            let observation = GameState::deal(Rules::FULL, &mut random).observe().unwrap();
            let (_, report) = searcher.search(&observation, &mut random, &GO_ON, &mut |_| {});
            assert!(report.nodes <= if keep { most_nodes } else { 201 });
            most_bytes = most_bytes.max(report.bytes);
            created += report.created;
        }
        assert!(created > 10_000);
        assert!(most_bytes > 0 && most_bytes < 100_000_000, "{most_bytes} bytes");
        // A set takes some hundred bytes, whatever came and went.
        let most_sets = if keep { most_nodes.min(created as usize) } else { 201 };
        assert!(most_bytes < 2_000 * most_sets, "{most_bytes} bytes for {most_sets} sets");
    }
}

#[test]
fn determinizations_are_as_many_as_asked_for() {
    let game = full();
    let drawn = |state: &GameState, determinizations, rounds| {
        let options = SearchOptions { determinizations, ..iterations(rounds) };
        let mut decks = HashSet::new();
        let mut watch = |step: &renju::hidden::Step<'_, TwinCool>| {
            decks.insert(step.start.deck());
        };
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, options);
        let observation = state.observe().unwrap();
        let (edges, report) = searcher.search(&observation, &mut Random::new(1), &GO_ON, &mut watch);
        assert_eq!((report.iterations, visits(&edges)), (rounds, rounds));
        // So many decks are hardly ever the same by chance.
        assert_eq!(decks.len(), report.determinizations as usize);
        report.determinizations
    };
    let early = dealt(Rules::FULL, 1);
    assert_eq!(drawn(&early, Determinizations::Always, 100), 100);
    for (count, expected) in [(1, 1), (7, 7), (100, 100), (1_000, 100), (0, 1)] {
        assert_eq!(drawn(&early, Determinizations::Fixed(count), 100), expected);
    }
    // Everything is hidden at first, and less with every card.
    let adaptive = Determinizations::Adaptive { least: 10 };
    assert_eq!(drawn(&early, adaptive, 100), 100);
    let mut counts = Vec::new();
    let mut state = early;
    while let Some(&mv) = moves(&game, &state).first() {
        counts.push(drawn(&state, adaptive, 100));
        game.play(&mut state, mv);
    }
    assert!(counts.len() > 2 && counts.is_sorted_by(|early, late| early > late), "{counts:?}");
    assert!(counts.iter().all(|&count| count >= 10));
    // Of a deck that is almost empty only the least is drawn.
    let small = TwinCool::new(Rules { suits: 1, values: 10, removed: 0, hand: 2 }, KeyKind::Played);
    let late = later(&small, 1, 9).observe().unwrap();
    let options = SearchOptions { determinizations: adaptive, ..iterations(100) };
    assert_eq!(search(&small, RolloutKind::Random, options, &late, 1).1.determinizations, 10);
}

#[test]
fn a_search_can_be_stopped() {
    let game = full();
    let observation = dealt(Rules::FULL, 1).observe().unwrap();
    let mut searcher = IsMcts::new(&game, RolloutKind::Random, iterations(1_000_000));
    let stop = AtomicBool::new(false);
    let (edges, report) = searcher.search(&observation, &mut Random::new(1), &stop, &mut |step| {
        if step.iteration == 40 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert!(report.iterations > 40 && report.iterations < 100);
    assert_eq!(visits(&edges), report.iterations);
    // One that was stopped before still tries a little, so that there is a move to play.
    let (edges, report) = searcher.search(&observation, &mut Random::new(1), &stop, &mut |_| {});
    assert!(report.iterations < 100 && best_edge(&edges).is_some());
    // No time is like a stop.
    let options = SearchOptions { time: Some(Duration::ZERO), ..iterations(1_000_000) };
    let (edges, report) = search(&game, RolloutKind::Random, options, &observation, 1);
    assert!(report.iterations < 100 && best_edge(&edges).is_some());
    let (edges, report) = search(&game, RolloutKind::Random, iterations(0), &observation, 1);
    assert_eq!((edges, report), (vec![], Report::default()));
}

#[test]
fn those_who_watch_see_every_iteration() {
    for kind in KeyKind::ALL {
        let game = TwinCool::new(Rules::FULL, kind);
        let state = open(&game, 2).next().unwrap();
        let observation = state.observe().unwrap();
        let (mut seen, mut totals) = (0, HashMap::<Placement, (u32, f64)>::new());
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, iterations(400));
        let (edges, _) = searcher.search(&observation, &mut Random::new(2), &GO_ON, &mut |step| {
            assert_eq!(step.iteration, seen);
            seen += 1;
            assert_eq!((step.start.hand(), step.start.tops()), (state.hand(), state.tops()));
            let mut walker = step.start.clone();
            for &mv in step.walked {
                assert!(moves(&game, &walker).contains(&mv));
                game.play(&mut walker, mv);
            }
            // The end is at least as good as what was walked.
            assert!(!step.walked.is_empty() && step.reward >= game.reward(&walker, 0));
            let entry = totals.entry(step.walked[0]).or_default();
            *entry = (entry.0 + 1, entry.1 + step.reward);
        });
        assert_eq!(seen, 400);
        // The edges of the root tell the same.
        for edge in edges {
            assert_eq!(totals[&edge.mv], (edge.visits, edge.total));
        }
    }
}

#[test]
fn the_best_move_is_the_one_tried_most() {
    let edge = |mv: char, visits, total| Edge { mv, visits, available: 100, total, prior: None };
    let best = |edges: &[Edge<char>]| best_edge(edges).map(|edge| edge.mv);
    assert_eq!(best(&[]), None);
    assert_eq!(best(&[edge('a', 3, 30.0), edge('b', 4, 1.0), edge('c', 1, 99.0)]), Some('b'));
    // As often: the higher mean. As good: the first.
    assert_eq!(best(&[edge('a', 4, 1.0), edge('b', 4, 3.0), edge('c', 4, 2.0)]), Some('b'));
    assert_eq!(best(&[edge('a', 2, 1.0), edge('b', 4, 3.0), edge('c', 4, 3.0)]), Some('b'));
    assert_eq!(best(&[edge('a', 0, 0.0), edge('b', 0, 0.0)]), Some('a'));
}

#[test]
fn trees_are_merged_by_adding_up() {
    let edge = |mv, visits, available, total| Edge { mv, visits, available, total, prior: Some(0.5) };
    let first = vec![edge('a', 1, 10, 2.0), edge('b', 9, 10, 3.0)];
    // Another order, a move that is not in the first, and one that is in the first only.
    let second = vec![edge('c', 2, 4, 1.0), edge('a', 4, 6, 0.5)];
    let all = merged([first.clone(), second, vec![]]);
    assert_eq!(all, [edge('a', 5, 16, 2.5), edge('b', 9, 10, 3.0), edge('c', 2, 4, 1.0)]);
    assert_eq!(merged([first.clone()]), first);
    assert_eq!(merged::<char>([]), []);
    let game = full();
    let observation = dealt(Rules::FULL, 1).observe().unwrap();
    let trees: Vec<_> = (0..3)
        .map(|seed| search(&game, RolloutKind::Random, iterations(100), &observation, seed).0)
        .collect();
    assert_eq!(visits(&merged(trees)), 300);
}

#[test]
fn forests_do_not_depend_on_threads() {
    let game = full();
    let observation = dealt(Rules::FULL, 1).observe().unwrap();
    for (trees, rounds) in [(1, 100), (3, 100), (8, 5)] {
        let forest = || Forest::new(&game, &RolloutKind::Random, iterations(rounds), trees);
        let (mut seen, mut random) = (vec![0; trees], Random::new(3));
        let (edges, report) = forest().search(&observation, &mut random, &GO_ON, &mut |tree, step| {
            assert_eq!(step.iteration, seen[tree]);
            seen[tree] += 1;
        });
        // The iterations are shared out, the first trees have one more.
        assert_eq!(seen.iter().sum::<u32>(), rounds);
        assert!(seen[0] - seen[trees - 1] <= 1);
        assert_eq!((visits(&edges), report.iterations), (rounds, rounds));
        for threads in [1, 2, 5] {
            let mut random = Random::new(3);
            let found = forest().search_on(threads, &observation, &mut random, &GO_ON).unwrap();
            assert_eq!(found, (edges.clone(), report));
        }
        // Other numbers, other trees.
        let other = forest().search_on(2, &observation, &mut Random::new(4), &GO_ON).unwrap();
        assert_ne!(other.0, edges);
    }
    // What was learnt is kept in every tree, and bounded in all together.
    let options = SearchOptions { keep: true, most_nodes: 400, ..iterations(300) };
    let mut forest = Forest::new(&game, &RolloutKind::Random, options, 3);
    let mut random = Random::new(1);
    for round in 1..=5 {
        let (edges, report) = forest.search_on(2, &observation, &mut random, &GO_ON).unwrap();
        assert!(report.nodes <= 402, "{report:?}");
        assert!(round > 1 || visits(&edges) == 300);
    }
}

#[test]
fn states_are_equal_whatever_was_before() {
    let game = TwinCool::new(Rules { suits: 2, values: 4, removed: 0, hand: 3 }, KeyKind::Played);
    let [one, other] = [[0, 1, 2], [2, 1, 0]].map(|order| {
        let card = |i: u8| Card(i);
        let mut state = GameState::from_parts(
            game.rules,
            &order.map(card),
            vec![card(7), card(6), card(5), card(4), card(3)],
            &[],
        );
        for (card, pile) in [(0, 0), (2, 1), (1, 0)] {
            game.play(&mut state, Placement { card: Card(card), pile });
        }
        state
    });
    assert_eq!(one, other);
    // The deck counts, and so does what lies below the top cards.
    let mut later = one.clone();
    game.play(&mut later, moves(&game, &one)[0]);
    assert_ne!(one, later);
}

// Strength.

#[test]
fn searching_beats_flexibility_and_flexibility_beats_chance() {
    let game = full();
    let mean = |strategy, games: u64| {
        let cards = |game_number| {
            let mut random = Random::part(2_024, game_number);
            play_game(&game, strategy, &mut random, &GO_ON).expect("nobody stops it").cards
        };
        f64::from((0..games).map(cards).sum::<u32>()) / games as f64
    };
    // Games differ much; so many are needed for a mean that is off by less than a quarter of the differences.
    let chance = mean(Strategy::Random, 1_000);
    let flexible = mean(Strategy::Heuristic, 1_000);
    let hidden = mean(Strategy::IsMcts(iterations(200).into()), 200);
    let cheat = mean(Strategy::Mcts(iterations(200).into()), 20);
    assert!(flexible > chance + 0.8, "{flexible} by flexibility, {chance} by chance");
    assert!(hidden > flexible + 0.8, "{hidden} by search, {flexible} by flexibility");
    // What the hidden cards cost.
    assert!(cheat > hidden + 8.0, "{cheat} with the deck, {hidden} without");
}
