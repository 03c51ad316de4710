#!/usr/bin/env python3
"""Turns a position of chess, written as FEN, into an amendment that begins there.

    python3 contrib/fen_to_rules.py kiwipete "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1" > kiwipete.rules
    adit perft chess 3 --with kiwipete.rules
"""

import sys

MEN = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


def squares(rows):
    """Yields square and figure for the first field of a FEN."""
    for rank, row in zip(range(8, 0, -1), rows.split("/"), strict=True):
        file = 0
        for sign in row:
            if sign.isdigit():
                file += int(sign)
                continue
            side = "white" if sign.isupper() else "black"
            yield f"Square({'abcdefgh'[file]}, {rank})", f"{side}_{MEN[sign.lower()]}"
            file += 1
        if file != 8:
            sys.exit(f"rank {rank} has {file} files: {row}")


def amendment(name, fen):
    fields = fen.split()
    rows, side, castling, passed = fields[:4]
    quiet = fields[4] if len(fields) > 4 else "0"
    lines = [f"/// {fen}", f'variant {name} "The position {name}" for chess {{ }}', "", 'replace main.set_up cite "the position is set up" {']
    lines += [f"    move Man({figure}) from box to board[{square}]" for square, figure in squares(rows)]
    for letter, seat, wing in [
        ("K", "white", "kingside"),
        ("Q", "white", "queenside"),
        ("k", "black", "kingside"),
        ("q", "black", "queenside"),
    ]:
        if letter not in castling:
            lines.append(f"    may_castle[{seat}, {wing}] = false")
    if side == "b":
        lines.append("    to_play = black")
    if passed != "-":
        lines.append(f"    skipped = Square({passed[0]}, {passed[1]})")
    if quiet != "0":
        lines.append(f"    quiet = {quiet}")
    return "\n".join(lines + ["}"])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(amendment(sys.argv[1], sys.argv[2]))
