"""MkDocs hook: the site has its pages where the repository has them, and the pages beside `docs/` as well.

Pages link to each other as GitHub shows them (`../README.md`, `docs/edits.md`). With the same paths in the site, these
links need not be rewritten, and MkDocs checks every one of them.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of docs/ under `docs/`, those of `extra.outside` under their own paths, and the theme's."""
    outside = [path for pattern in config.extra["outside"] for path in sorted(ROOT.glob(pattern))]
    return Files(
        [_move(file, config) if file.src_dir == config.docs_dir else file for file in files]
        + [File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)) for path in outside]
    )


def _move(file: File, config: MkDocsConfig) -> File:
    """A file of docs/ with its path in the repository."""
    uri = f"{Path(config.docs_dir).name}/{file.src_uri}"
    return File.generated(config, uri, abs_src_path=file.abs_src_path, inclusion=file.inclusion)
