import numpy as np

from errata.networks.native.description import Description
from errata.networks.quantised import Quantised

def is_supported() -> bool: ...
def has_octets(weight: np.ndarray | Quantised) -> bool: ...
def product(
    rows: np.ndarray, weight: np.ndarray | Quantised, bias: np.ndarray, *, gelu: bool = False, times: int = 1
) -> np.ndarray: ...

class Network:
    n_subwords: int
    n_positions: int
    n_cases: int
    def __init__(self, description: Description) -> None: ...
    def answer(
        self, ids: np.ndarray, cases: np.ndarray, lengths: np.ndarray, first: np.ndarray, n_slots: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]: ...
    def states(
        self, ids: np.ndarray, cases: np.ndarray, lengths: np.ndarray, first: np.ndarray, n_slots: np.ndarray
    ) -> np.ndarray: ...
