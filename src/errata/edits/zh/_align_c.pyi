from array import array

from errata.edits.zh.features import TokenTable

def fill_moves(source: array[int], target: array[int], table: TokenTable) -> array[int]: ...
