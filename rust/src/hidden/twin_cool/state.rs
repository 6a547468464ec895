use super::card::{Card, CardSet, MOST_HAND, Rules, hand_points};
use crate::hidden::HiddenGame;
use crate::types::Random;

/// Points for every card played.
pub const CARD_POINTS: u32 = 10;

/// A card and the pile it goes on, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    /// The card that is placed.
    pub card: Card,
    /// The pile on which the card is placed.
    pub pile: u8,
}

/// How much an information set remembers besides the hand and the top cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum KeyKind {
    /// The top cards alone, nothing of what was played.
    Tops,
    /// The number of cards that were played.
    #[default]
    Count,
    /// Which cards were played, in whatever order.
    Played,
    /// Both piles, card by card.
    Piles,
}

impl KeyKind {
    /// All keys, from the least memory to the most.
    pub const ALL: [KeyKind; 4] = [KeyKind::Tops, KeyKind::Count, KeyKind::Played, KeyKind::Piles];

    /// The name of the key in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            KeyKind::Tops => "tops",
            KeyKind::Count => "count",
            KeyKind::Played => "played",
            KeyKind::Piles => "piles",
        }
    }
}

/// An information set: hand, top cards, and what [`KeyKind`] adds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TwinKey {
    hand: CardSet,
    /// The top cards, 8 bits each, 0 for an empty pile; above them the number of cards played, if that counts.
    tops: u32,
    played: CardSet,
    piles: Option<Box<[u8]>>,
}

/// What the player knows of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The cards in the hand, sorted.
    pub hand: Vec<Card>,
    /// Both piles, the top card last.
    pub piles: [Vec<Card>; 2],
    /// The points that hands have given by now.
    pub points: u32,
}

impl Observation {
    /// The cards that were played.
    #[must_use]
    pub fn played(&self) -> CardSet {
        self.piles.iter().flatten().fold(0, |set, card| set | card.bit())
    }

    /// What is wrong with it, if anything is.
    pub fn check(&self, rules: Rules) -> Result<(), String> {
        let mut seen = 0;
        for card in self.hand.iter().chain(self.piles.iter().flatten()) {
            if usize::from(card.0) >= rules.cards() {
                return Err(format!("there is no card number {}", card.0));
            }
            if seen & card.bit() != 0 {
                return Err(format!("{card} is there twice"));
            }
            seen |= card.bit();
        }
        for pile in &self.piles {
            if let Some(pair) = pile.windows(2).find(|pair| !rules.fits(pair[1], pair[0])) {
                return Err(format!("{} cannot lie on {}", pair[1], pair[0]));
            }
        }
        let most = usize::from(rules.hand);
        if self.hand.len() > most {
            return Err(format!("the hand has {} cards, {most} at most", self.hand.len()));
        }
        let unseen = rules.cards() - seen.count_ones() as usize;
        if unseen < usize::from(rules.removed) {
            return Err(format!("{unseen} cards are unseen, {} were removed", rules.removed));
        }
        if self.hand.len() < most && unseen > usize::from(rules.removed) {
            return Err(format!("the hand has {} cards, and the deck is not empty", self.hand.len()));
        }
        Ok(())
    }
}

/// Everything: the hand, the piles, the deck and what was removed.
#[derive(Clone, Debug)]
pub struct GameState {
    hand: [Card; MOST_HAND],
    hand_len: u8,
    tops: [Option<Card>; 2],
    /// All cards that were played.
    played: CardSet,
    count: u8,
    points: u32,
    /// All cards that nobody has seen: the removed ones, and above them the deck, whose last card is drawn next.
    hidden: [Card; CardSet::BITS as usize],
    hidden_len: u8,
    deck_len: u8,
    /// If the order is still open: where it comes from. Most games end long before the deck, so that shuffling all of
    /// it would take most of the time of a determinization.
    order: Option<Random>,
    /// The piles card by card, kept only for those who ask for it.
    piles: Option<Box<[Vec<Card>; 2]>>,
}

impl GameState {
    /// A new game: shuffled, dealt, the points of the first hand counted.
    #[must_use]
    pub fn deal(rules: Rules, random: &mut Random) -> GameState {
        let mut cards: Vec<Card> = rules.all().collect();
        random.shuffle(&mut cards);
        let hand = cards.split_off(cards.len() - usize::from(rules.hand));
        let removed = cards.split_off(cards.len() - usize::from(rules.removed));
        GameState::from_parts(rules, &hand, cards, &removed)
    }

    /// A game with this hand and this deck, whose last card is drawn first.
    #[must_use]
    pub fn from_parts(rules: Rules, hand: &[Card], deck: Vec<Card>, removed: &[Card]) -> GameState {
        let mut state = GameState {
            hand: [Card(0); MOST_HAND],
            hand_len: hand.len() as u8,
            tops: [None; 2],
            played: 0,
            count: 0,
            points: 0,
            hidden: [Card(0); CardSet::BITS as usize],
            hidden_len: (removed.len() + deck.len()) as u8,
            deck_len: deck.len() as u8,
            order: None,
            piles: Some(Box::default()),
        };
        state.hand[..hand.len()].copy_from_slice(hand);
        state.hand[..hand.len()].sort_unstable();
        state.hidden[..removed.len()].copy_from_slice(removed);
        state.hidden[removed.len()..removed.len() + deck.len()].copy_from_slice(&deck);
        state.points = hand_points(rules, state.hand());
        state
    }

    /// A whole state that agrees with what is known: the unseen cards in any order.
    #[must_use]
    pub fn from_determinization(
        rules: Rules,
        known: &Observation,
        random: &mut Random,
        with_piles: bool,
    ) -> GameState {
        let played = known.played();
        let seen = known.hand.iter().fold(played, |set, card| set | card.bit());
        let mut state = GameState {
            hand: [Card(0); MOST_HAND],
            hand_len: known.hand.len() as u8,
            tops: [0, 1].map(|pile: usize| known.piles[pile].last().copied()),
            played,
            count: played.count_ones() as u8,
            points: known.points,
            hidden: [Card(0); CardSet::BITS as usize],
            hidden_len: 0,
            deck_len: 0,
            order: None,
            piles: with_piles.then(|| Box::new(known.piles.clone())),
        };
        state.hand[..known.hand.len()].copy_from_slice(&known.hand);
        state.hand[..known.hand.len()].sort_unstable();
        for card in rules.all().filter(|card| seen & card.bit() == 0) {
            state.hidden[usize::from(state.hidden_len)] = card;
            state.hidden_len += 1;
        }
        state.deck_len = state.hidden_len.saturating_sub(rules.removed);
        state.order = Some(random.split());
        state
    }

    /// A game in its middle: what is known, the deck, whose last card is drawn next, and what was removed. Together
    /// they are all cards, each once.
    #[must_use]
    pub fn from_table(rules: Rules, known: &Observation, deck: &[Card], removed: &[Card]) -> GameState {
        let mut state = GameState::from_determinization(rules, known, &mut Random::new(0), true);
        debug_assert_eq!(usize::from(state.deck_len), deck.len());
        state.order = None;
        state.hidden[..removed.len()].copy_from_slice(removed);
        state.hidden[removed.len()..removed.len() + deck.len()].copy_from_slice(deck);
        state
    }

    /// The game after a move that drew this card, of those that nobody has seen; `None` draws nothing, which only an
    /// empty deck allows.
    #[must_use]
    pub fn after(&self, rules: Rules, mv: Placement, drawn: Option<Card>) -> GameState {
        let mut state = self.clone();
        state.order = None;
        if let Some(card) = drawn {
            let last = usize::from(state.hidden_len) - 1;
            let place = state.hidden[..=last].iter().position(|&hidden| hidden == card);
            state.hidden.swap(last, place.expect("a card that nobody has seen"));
        }
        state.play(rules, mv);
        state
    }

    /// The cards that nobody has seen: those of the deck and those that were removed.
    #[must_use]
    pub fn unseen(&self) -> &[Card] {
        &self.hidden[..usize::from(self.hidden_len)]
    }

    /// What the player knows of it; `None` if the piles were not kept.
    #[must_use]
    pub fn observe(&self) -> Option<Observation> {
        let piles = self.piles.as_deref()?.clone();
        Some(Observation { hand: self.hand().to_vec(), piles, points: self.points })
    }

    /// The cards in the hand, sorted.
    #[must_use]
    pub fn hand(&self) -> &[Card] {
        &self.hand[..usize::from(self.hand_len)]
    }

    /// The top card of each pile.
    #[must_use]
    pub fn tops(&self) -> [Option<Card>; 2] {
        self.tops
    }

    /// The cards of the deck; the last is drawn next.
    #[must_use]
    pub fn deck(&self) -> Vec<Card> {
        let mut state = self.clone();
        let mut cards: Vec<Card> = std::iter::from_fn(|| state.draw()).collect();
        cards.reverse();
        cards
    }

    /// The number of its cards.
    #[must_use]
    pub fn deck_len(&self) -> usize {
        self.deck_len.into()
    }

    /// The next card of the deck. While the order is open it may be any card that nobody has seen, since those that
    /// are removed are as open.
    fn draw(&mut self) -> Option<Card> {
        self.deck_len = self.deck_len.checked_sub(1)?;
        let last = usize::from(self.hidden_len) - 1;
        self.hidden_len -= 1;
        if let Some(order) = &mut self.order {
            self.hidden.swap(last, order.below(last + 1));
        }
        Some(self.hidden[last])
    }

    /// The number of cards that were played.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count.into()
    }

    /// The cards that were played.
    #[must_use]
    pub fn played(&self) -> CardSet {
        self.played
    }

    /// The points that hands have given by now.
    #[must_use]
    pub fn points(&self) -> u32 {
        self.points
    }

    /// Ten for every card, and the points.
    #[must_use]
    pub fn score(&self) -> u32 {
        CARD_POINTS * self.count() + self.points
    }

    /// The hand as a set.
    #[must_use]
    pub fn held(&self) -> CardSet {
        self.hand().iter().fold(0, |set, card| set | card.bit())
    }

    /// Makes a move: the card goes on the pile, one is drawn, the new hand is counted.
    pub fn play(&mut self, rules: Rules, mv: Placement) {
        let place = self.hand().iter().position(|&card| card == mv.card).expect("a card of the hand");
        self.tops[usize::from(mv.pile)] = Some(mv.card);
        self.played |= mv.card.bit();
        self.count += 1;
        if let Some(piles) = &mut self.piles {
            piles[usize::from(mv.pile)].push(mv.card);
        }
        let mut hole = place;
        let Some(drawn) = self.draw() else {
            self.hand.copy_within(place + 1..usize::from(self.hand_len), place);
            self.hand_len -= 1;
            self.points += hand_points(rules, self.hand());
            return;
        };
        // The hand stays sorted.
        let last = usize::from(self.hand_len) - 1;
        while hole < last && self.hand[hole + 1] < drawn {
            self.hand[hole] = self.hand[hole + 1];
            hole += 1;
        }
        while hole > 0 && self.hand[hole - 1] > drawn {
            self.hand[hole] = self.hand[hole - 1];
            hole -= 1;
        }
        self.hand[hole] = drawn;
        self.points += hand_points(rules, self.hand());
    }
}

impl PartialEq for GameState {
    /// What was in the deck and the hand before does not count.
    fn eq(&self, other: &GameState) -> bool {
        let known = |state: &GameState| (state.tops, state.played, state.count, state.points);
        known(self) == known(other)
            && self.hand() == other.hand()
            && self.deck() == other.deck()
            && self.piles == other.piles
    }
}

impl Eq for GameState {}

/// The game with its information sets.
#[derive(Clone, Debug)]
pub struct TwinCool {
    /// The rules: the size of the game.
    pub rules: Rules,
    /// What information sets remember of the moves before.
    pub key: KeyKind,
    /// Key: card; value: the cards that may lie on it.
    fitting: Vec<CardSet>,
    all: CardSet,
}

impl TwinCool {
    /// The game.
    ///
    /// # Panics
    /// If the rules are not sound.
    #[must_use]
    pub fn new(rules: Rules, key: KeyKind) -> TwinCool {
        assert!(rules.is_sound(), "{rules:?}");
        let all = rules.all().fold(0, |set, card| set | card.bit());
        let fitting =
            |on| rules.all().filter(|&card| rules.fits(card, on)).fold(0, |set, card| set | card.bit());
        TwinCool { rules, key, fitting: rules.all().map(fitting).collect(), all }
    }

    /// The cards that may lie on a pile with this top card.
    #[inline]
    #[must_use]
    pub fn fitting(&self, top: Option<Card>) -> CardSet {
        top.map_or(self.all, |card| self.fitting[usize::from(card.0)])
    }

    /// All cards of the game, as a set.
    #[must_use]
    pub fn all(&self) -> CardSet {
        self.all
    }
}

impl HiddenGame for TwinCool {
    type Observation = Observation;
    type State = GameState;
    type Move = Placement;
    type Key = TwinKey;

    fn determinize(&self, observation: &Observation, random: &mut Random) -> GameState {
        GameState::from_determinization(self.rules, observation, random, self.key == KeyKind::Piles)
    }

    /// The pool of unseen cards is there already; only their order is another.
    fn determinize_again(&self, _: &Observation, earlier: &GameState, random: &mut Random) -> GameState {
        GameState { order: Some(random.split()), ..earlier.clone() }
    }

    fn key(&self, state: &GameState) -> TwinKey {
        let hand = state.held();
        let top = |pile: usize| state.tops[pile].map_or(0, |card| u32::from(card.0) + 1);
        let count = if self.key == KeyKind::Tops { 0 } else { state.count() };
        let played = if self.key == KeyKind::Played { state.played } else { 0 };
        let piles = (self.key == KeyKind::Piles).then(|| {
            let piles = state.piles.as_deref().expect("kept for this kind of key");
            let [first, second] = piles.each_ref().map(|pile| pile.iter().map(|card| card.0));
            first.chain([u8::MAX]).chain(second).collect()
        });
        TwinKey { hand, tops: top(0) | top(1) << 8 | count << 16, played, piles }
    }

    /// Card by card, pile by pile; of two empty piles only the first, since they are alike.
    fn moves(&self, state: &GameState, moves: &mut Vec<Placement>) {
        let [first, second] = state.tops.map(|top| self.fitting(top));
        let second = if state.tops == [None; 2] { 0 } else { second };
        for &card in state.hand() {
            for (pile, fitting) in [(0, first), (1, second)] {
                if fitting & card.bit() != 0 {
                    moves.push(Placement { card, pile });
                }
            }
        }
    }

    fn play(&self, state: &mut GameState, mv: Placement) {
        state.play(self.rules, mv);
    }

    fn reward(&self, state: &GameState, _: usize) -> f64 {
        f64::from(state.score())
    }

    fn hidden_share(&self, observation: &Observation) -> f64 {
        let seen = observation.hand.len() + observation.piles.iter().map(Vec::len).sum::<usize>();
        let most = self.rules.cards() - usize::from(self.rules.hand);
        (self.rules.cards() - seen) as f64 / most as f64
    }
}
