"""Questions to a server of JSON lines in this process, and its answers."""

import json

from renju import jsonl

# A VCT that takes a solver minutes.
HARD = {"black": "g10i10j10f9j9h8j8i7i6j6k6i5", "white": "i11f10g9h9i9i8k8h7j7l7h6k5", "turn": "black"}


def ask(*queries: object, **options: object) -> list[dict]:
    """The answers to these queries, in order of completion. A text or bytes is a line as it is."""
    answers: list[str] = []
    lines = [query if isinstance(query, str | bytes) else json.dumps(query) for query in queries]
    jsonl.serve(lines, answers.append, **options)
    assert all("\n" not in answer and answer.isascii() for answer in answers)
    return [json.loads(answer) for answer in answers]


def answer_to(query: object, **options: object) -> dict:
    (answer,) = ask(query, threads=1, **options)
    return answer


def by_id(answers: list[dict]) -> dict:
    assert len({answer["id"] for answer in answers}) == len(answers)
    return {answer["id"]: answer for answer in answers}
