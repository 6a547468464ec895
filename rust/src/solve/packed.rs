//! A tree of attacks in few bytes: two or three for each stone of the attacker.

use super::{Attack, MOST_ATTACKS, MOST_DEPTH};
use crate::types::Point;

/// The bit of an attack's second byte that says that a tree after a pass follows.
const HAS_PASS: u8 = 0x80;

/// A number of replies that stands in a byte of its own.
const MANY: u8 = 0x7f;

/// A tree of attacks, written in the order of a walk: stone, number of replies, tree after a pass, replies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackedTree(Box<[u8]>);

/// The bytes hold no tree of attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bytes hold no tree of attacks")]
pub struct NoTree;

impl PackedTree {
    /// Packs a tree.
    #[must_use]
    pub fn new(tree: &Attack) -> PackedTree {
        let mut bytes = Vec::new();
        write(tree, &mut bytes);
        PackedTree(bytes.into())
    }

    /// The tree of these bytes; an error if they hold anything else, or a tree that is too deep or too large.
    pub fn from_bytes(bytes: &[u8]) -> Result<PackedTree, NoTree> {
        let (mut rest, mut attacks) = (bytes, 0);
        read(&mut rest, 1, &mut attacks)?;
        if rest.is_empty() { Ok(PackedTree(bytes.into())) } else { Err(NoTree) }
    }

    /// The bytes of the tree.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The tree as attacks.
    #[must_use]
    pub fn unpacked(&self) -> Attack {
        read(&mut &*self.0, 1, &mut 0).expect("only trees are packed")
    }

    /// The first stone of the attacker.
    #[must_use]
    pub fn first(&self) -> Point {
        Point::from_index(self.0[0].into()).expect("only trees are packed")
    }
}

fn write(attack: &Attack, bytes: &mut Vec<u8>) {
    let pass = if attack.after_pass.is_some() { HAS_PASS } else { 0 };
    // A board has fewer points than a byte has values.
    let replies = attack.replies.len() as u8;
    bytes.extend([attack.stone.index() as u8, replies.min(MANY) | pass]);
    if replies >= MANY {
        bytes.push(replies);
    }
    if let Some(after_pass) = &attack.after_pass {
        write(after_pass, bytes);
    }
    for (reply, next) in &attack.replies {
        bytes.push(reply.index() as u8);
        write(next, bytes);
    }
}

fn read(bytes: &mut &[u8], depth: usize, attacks: &mut usize) -> Result<Attack, NoTree> {
    *attacks += 1;
    if depth > MOST_DEPTH || *attacks > MOST_ATTACKS {
        return Err(NoTree);
    }
    let stone = read_point(bytes)?;
    let control = read_byte(bytes)?;
    let replies = if control & MANY == MANY { read_byte(bytes)? } else { control & MANY };
    if control & MANY == MANY && replies < MANY {
        return Err(NoTree);
    }
    let after_pass = match control & HAS_PASS {
        0 => None,
        _ => Some(Box::new(read(bytes, depth + 1, attacks)?)),
    };
    let mut answers = Vec::new();
    for _ in 0..replies {
        answers.push((read_point(bytes)?, read(bytes, depth + 1, attacks)?));
    }
    Ok(Attack { stone, after_pass, replies: answers })
}

fn read_byte(bytes: &mut &[u8]) -> Result<u8, NoTree> {
    let (&first, rest) = bytes.split_first().ok_or(NoTree)?;
    *bytes = rest;
    Ok(first)
}

fn read_point(bytes: &mut &[u8]) -> Result<Point, NoTree> {
    Point::from_index(read_byte(bytes)?.into()).ok_or(NoTree)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(index: usize) -> Point {
        Point::from_index(index % 225).unwrap()
    }

    /// A tree with every form of an attack: no reply, a reply, many replies, with and without a pass.
    fn tree() -> Attack {
        let line = Attack::from_line(&[point(3), point(4), point(5)]).unwrap();
        let many = (0..130).map(|i| (point(i), Attack::last(point(i + 1)))).collect();
        let wide = Attack { stone: point(224), after_pass: Some(Box::new(line.clone())), replies: many };
        let few = (0..127).map(|i| (point(i), line.clone())).collect();
        let next = Attack { stone: point(7), after_pass: None, replies: few };
        Attack {
            stone: point(112),
            after_pass: Some(Box::new(line)),
            replies: vec![(point(0), wide), (point(1), next)],
        }
    }

    #[test]
    fn a_packed_tree_is_the_tree() {
        let packed = PackedTree::new(&tree());
        assert_eq!(packed.unpacked(), tree());
        assert_eq!(packed.first(), point(112));
        assert_eq!(PackedTree::from_bytes(packed.bytes()), Ok(packed));
    }

    #[test]
    fn bytes_that_hold_no_tree_are_refused() {
        let bytes = PackedTree::new(&tree()).bytes().to_vec();
        for end in 0..bytes.len() {
            assert_eq!(PackedTree::from_bytes(&bytes[..end]), Err(NoTree), "the first {end} bytes");
        }
        assert_eq!(PackedTree::from_bytes(&[&bytes[..], &[0]].concat()), Err(NoTree));
        assert_eq!(PackedTree::from_bytes(&[225, 0]), Err(NoTree));
        assert_eq!(PackedTree::from_bytes(&[0, 0x80].repeat(300)), Err(NoTree));
    }
}
