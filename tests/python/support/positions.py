"""Positions that many tests begin with, as records of moves."""

# Eight moves without a win for anybody.
QUIET = "h8 i9 g7 i7 g9 g8 i10 i8"
# Black, to move, wins by a Mise-VCF, and by threats.
MISE = "h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10"
# H8 is forbidden to black, who is to move.
DOUBLE_THREE = "f8 a1 g8 a3 h9 a5 h10 a7"
# White has a four, and black may not block it.
FORCED_FOUL = "h8 g6 f6 g5 f7 g4 h7 g3 g2 a1"
# Black has a five.
OVER = "h8 a1 i8 a3 j8 a5 k8 a7 l8"
# Black has a five after the ninth move.
PLAY_ON = "f8 a1 g8 a3 h8 a5 i8 a7 j8 a9 a10"
