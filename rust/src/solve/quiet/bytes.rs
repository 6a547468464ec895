//! A proof of order 3 as bytes: numbers of seven bits a byte, the low ones first.

use super::{Decision, QuietProof};
use crate::solve::MOST_THREAT_FOURS;
use crate::solve::packed::PackedTree;
use crate::types::{Color, Point};

/// What the bytes of a proof begin with: a name, and the version of the form.
const HEAD: &[u8; 4] = b"RQP\x01";

/// Most trees and most entries of a proof that is read from outside.
const MOST_PARTS: usize = 1 << 26;

/// The bytes hold no proof of order 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBytes {
    /// The first bytes are not those of a proof.
    #[error("the bytes do not begin as a proof of order 3, version 1, does")]
    Head,
    /// The bytes end before the proof does.
    #[error("the bytes end before the proof does")]
    Short,
    /// Something at this place is not what a proof has there.
    #[error("byte {0} is not what a proof has there")]
    Wrong(usize),
}

impl QuietProof {
    /// The proof as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        bytes.extend([self.attacker.index() as u8, self.threat_limit as u8]);
        write_number(&mut bytes, self.trees.len());
        for tree in &self.trees {
            write_number(&mut bytes, tree.bytes().len());
            bytes.extend_from_slice(tree.bytes());
        }
        write_number(&mut bytes, self.entries.len());
        for (place, entry) in self.entries.iter().enumerate() {
            match entry {
                Decision::Tree(tree) => {
                    bytes.push(0);
                    write_number(&mut bytes, *tree as usize);
                }
                Decision::Stone { stone, after_pass, replies } => {
                    bytes.extend([if after_pass.is_some() { 2 } else { 1 }, stone.index() as u8]);
                    if let Some(tree) = after_pass {
                        write_number(&mut bytes, *tree as usize);
                    }
                    write_number(&mut bytes, replies.len());
                    for (reply, next) in replies {
                        bytes.push(reply.index() as u8);
                        // Near entries make short numbers.
                        write_number(&mut bytes, place - *next as usize);
                    }
                }
            }
        }
        bytes
    }

    /// The proof that these bytes hold. Whether it wins anything only the verifier knows.
    pub fn from_bytes(bytes: &[u8]) -> Result<QuietProof, BadBytes> {
        if !bytes.starts_with(HEAD) {
            return Err(BadBytes::Head);
        }
        let mut reader = Reader { bytes, place: HEAD.len() };
        let attacker = reader.checked(|byte| Color::ALL.get(usize::from(byte)).copied())?;
        let threat_limit = reader.checked(|byte| Some(usize::from(byte)))?;
        if !(1..=MOST_THREAT_FOURS).contains(&threat_limit) {
            return Err(BadBytes::Wrong(reader.place - 1));
        }
        let count = reader.number(0, MOST_PARTS)?;
        let mut trees = Vec::new();
        for _ in 0..count {
            trees.push(reader.tree()?);
        }
        let count = reader.number(1, MOST_PARTS)?;
        let mut entries = Vec::new();
        for place in 0..count {
            entries.push(reader.entry(place, trees.len())?);
        }
        if reader.place < bytes.len() {
            return Err(BadBytes::Wrong(reader.place));
        }
        Ok(QuietProof { attacker, threat_limit, trees, entries })
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, BadBytes> {
        let byte = *self.bytes.get(self.place).ok_or(BadBytes::Short)?;
        self.place += 1;
        Ok(byte)
    }

    /// A byte that stands for something.
    fn checked<T>(&mut self, meaning: impl Fn(u8) -> Option<T>) -> Result<T, BadBytes> {
        let place = self.place;
        meaning(self.byte()?).ok_or(BadBytes::Wrong(place))
    }

    fn point(&mut self) -> Result<Point, BadBytes> {
        self.checked(|byte| Point::from_index(byte.into()))
    }

    /// A number from `least` to `most`, in its shortest form.
    fn number(&mut self, least: usize, most: usize) -> Result<usize, BadBytes> {
        let start = self.place;
        let mut number = 0usize;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let is_shortest = byte > 0 || shift == 0;
                let is_known = is_shortest && (least..=most).contains(&number);
                return if is_known { Ok(number) } else { Err(BadBytes::Wrong(start)) };
            }
        }
        Err(BadBytes::Wrong(start))
    }

    fn tree(&mut self) -> Result<PackedTree, BadBytes> {
        let length = self.number(2, MOST_PARTS)?;
        let bytes = self.bytes.get(self.place..self.place + length).ok_or(BadBytes::Short)?;
        let tree = PackedTree::from_bytes(bytes).map_err(|_| BadBytes::Wrong(self.place))?;
        self.place += length;
        Ok(tree)
    }

    /// The entry at a place, which refers to earlier ones and to some of the trees.
    fn entry(&mut self, place: usize, trees: usize) -> Result<Decision, BadBytes> {
        let kind = self.checked(|byte| (byte < 3).then_some(byte))?;
        let most_tree = trees.checked_sub(1);
        if kind == 0 {
            let most = most_tree.ok_or(BadBytes::Wrong(self.place))?;
            return Ok(Decision::Tree(self.number(0, most)? as u32));
        }
        let stone = self.point()?;
        let after_pass = match (kind, most_tree) {
            (1, _) => None,
            (_, Some(most)) => Some(self.number(0, most)? as u32),
            (_, None) => return Err(BadBytes::Wrong(self.place)),
        };
        let count = self.number(0, crate::types::BOARD_POINTS)?;
        let mut replies = Vec::with_capacity(count);
        for _ in 0..count {
            let reply = self.point()?;
            let back = self.number(1, place)?;
            replies.push((reply, (place - back) as u32));
        }
        Ok(Decision::Stone { stone, after_pass, replies })
    }
}
