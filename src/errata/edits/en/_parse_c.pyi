from numpy import float32, int32
from numpy.typing import NDArray

Floats = NDArray[float32]
Ints = NDArray[int32]

def hash_string(string: str) -> int: ...
def convolve(
    projected: Floats, previous: Floats, contexts: Ints, bias: Floats, gain: Floats, offset: Floats, out: Floats
) -> None: ...
def parse(
    features: Floats,
    rows: Ints,
    bounds: Ints,
    padding: Floats,
    bias: Floats,
    weights: Floats,
    class_bias: Floats,
    moves: Ints,
    labels: Ints,
    heads_out: Ints,
    labels_out: Ints,
) -> None: ...
