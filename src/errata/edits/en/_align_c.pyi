from errata.edits.en.analysis import Analysis

def align_steps(
    source_analysis: Analysis, target_analysis: Analysis, levenshtein: bool
) -> list[tuple[str, int, int, int, int]]: ...
