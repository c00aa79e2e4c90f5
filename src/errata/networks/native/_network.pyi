import numpy as np

from errata.networks.native.description import Description
from errata.networks.quantised import Quantised

def is_supported() -> bool: ...
def product(
    rows: np.ndarray, weight: np.ndarray | Quantised, bias: np.ndarray, *, gelu: bool = False
) -> np.ndarray: ...

class Network:
    n_subwords: int
    n_positions: int
    n_cases: int
    def __init__(self, description: Description) -> None: ...
    def answer(
        self, ids: np.ndarray, cases: np.ndarray, lengths: np.ndarray, first: np.ndarray, n_slots: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]: ...
