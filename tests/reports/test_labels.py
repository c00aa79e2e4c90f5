"""Names of points: none on another, none outside, the first come first."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from errata.reports.labels import RADIUS, Box, place_names

FRAME = Box(40, 0, 360, 220)
POINTS = st.lists(
    st.tuples(st.text("RMU:VERBNOUN", min_size=1, max_size=12), st.floats(44, 350), st.floats(8, 210)), max_size=25
)


@given(POINTS)
def test_no_name_lies_on_another_or_on_another_point(points: list[tuple[str, float, float]]) -> None:
    placed = place_names(points, FRAME)
    known = [box for box in placed if box is not None]
    assert len(placed) == len(points) and all(FRAME.contains(box) for box in known)
    assert not any(one.meets(other) for one, other in combinations(known, 2))
    for number, box in enumerate(placed):
        for other, (_, left, top) in enumerate(points):
            if box is not None and other != number:
                assert not box.meets(Box(left - RADIUS, top - RADIUS, left + RADIUS, top + RADIUS))


def test_a_name_stands_beside_its_point_where_there_is_room() -> None:
    [box] = place_names([("VERB", 100, 100)], FRAME)
    assert box is not None and box.left > 100
    [late] = place_names([("VERB", 350, 100)], FRAME)
    assert late is not None and late.right < 350


def test_two_points_in_one_place_have_one_name_at_most_on_each_side() -> None:
    assert place_names([("A", 100, 100)] * 30, FRAME).count(None) >= 20
