use std::fmt::Debug;
use std::hash::Hash;

use crate::types::Random;

/// A game of which the players do not see everything.
///
/// An *observation* is what the player to move knows. A *determinization* is a whole state that agrees with it,
/// with the hidden rest chosen at random, all possibilities equally likely. States that look the same to the
/// player share an *information set*, which a key names; how much a key remembers is up to the game.
pub trait HiddenGame {
    /// What the player knows.
    type Observation;
    /// Everything.
    type State: Clone;
    /// What a player does.
    type Move: Copy + Eq + Debug;
    /// The name of an information set.
    type Key: Clone + Eq + Hash;

    /// A whole state that may be the one observed.
    fn determinize(&self, observation: &Self::Observation, random: &mut Random) -> Self::State;

    /// Another one, from one that was made of the same observation: what is the same in all of them need not be
    /// put together again.
    fn determinize_again(
        &self,
        observation: &Self::Observation,
        earlier: &Self::State,
        random: &mut Random,
    ) -> Self::State {
        let _ = earlier;
        self.determinize(observation, random)
    }

    /// The information set of a state.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// The moves of the player to move, always in the same order; none at the end of the game.
    fn moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>);

    /// Makes a move.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// Whose turn it is; games of one player have no others.
    fn player(&self, state: &Self::State) -> usize {
        let _ = state;
        0
    }

    /// What the end of a game is worth to a player, in any unit: the search brings it to 0..1.
    fn reward(&self, state: &Self::State, player: usize) -> f64;

    /// How much is hidden, from 0 (nothing) to 1 (as much as at the beginning).
    fn hidden_share(&self, observation: &Self::Observation) -> f64;
}

/// What somebody who knows the game tells the search: how the rest of a game is played out, and what moves look
/// worth at a glance.
pub trait Guide<G: HiddenGame> {
    /// The place of the move to play in the list, which is not empty.
    fn choose(&self, game: &G, state: &G::State, moves: &[G::Move], random: &mut Random) -> usize;

    /// What a move looks worth, in the unit of rewards; only differences between the moves of a state count.
    fn prior(&self, game: &G, state: &G::State, mv: G::Move) -> f64 {
        let _ = (game, state, mv);
        0.0
    }

    /// Who values states, so that games need not be played to their end; `None` plays them out.
    fn valued(&self) -> Option<&dyn Valued<G>> {
        None
    }
}

/// What states and moves are worth to somebody who knows the game, all in the unit of rewards: the reward that a game
/// is expected to end with. For games of one player.
pub trait Valued<G: HiddenGame> {
    /// What a state is worth; its reward if the game is over.
    fn estimate(&self, game: &G, state: &G::State) -> f64;

    /// What a move looks worth at a glance.
    fn glance(&self, game: &G, state: &G::State, mv: G::Move) -> f64;

    /// The mean of [`Valued::estimate`] after a move over all that may come to light, exactly: every possibility that
    /// agrees with what the player knows counts alike.
    fn expected(&self, game: &G, state: &G::State, mv: G::Move) -> f64;

    /// How far estimates are off, typically: the unit in which the search explores.
    fn error(&self) -> f64;
}

/// A guide that chooses any move, all equally likely.
#[derive(Clone, Copy, Debug)]
pub struct AtRandom;

impl<G: HiddenGame> Guide<G> for AtRandom {
    fn choose(&self, _: &G, _: &G::State, moves: &[G::Move], random: &mut Random) -> usize {
        random.below(moves.len())
    }
}
