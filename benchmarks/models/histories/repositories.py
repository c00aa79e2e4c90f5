"""Clones of repositories, read with git: their commits, the lines that a commit changes, and their newest files."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.errors import DataError

# Files with prose. Editors of old books (XHTML) modernise their spelling, so histories of those give no corrections.
EDITED = tuple(".md .mdx .markdown .rst .adoc .asciidoc .asc .rmd .Rmd .qmd .txt .njk .html.md.erb".split())
SUFFIXES = (*EDITED, ".xhtml")
# What a commit message says, the surest sign first. `typo` counts in the subject alone: the body of a squashed
# commit lists many changes. `fix` may mean anything, and `other` messages say nothing of language.
TIERS = ("typo", "fix", "other")
REVERT = "revert"  # a commit that takes another one back
_TYPO = re.compile(r"\btypos?\b|gramm[ae]r|spell|punctuation|proof.?read|copy.?edit", re.I)
_FIX = re.compile(r"\bfix|\bcorrect|\bedit|\bnits?\b|clarif|wording|reword|language|polish|clean.?up|minor", re.I)
_REVERT = re.compile(r"revert\b", re.I)
_LANGUAGES = (
    "ar|bg|bn|ca|cn|cs|da|de|el|es|fa|fi|fr|he|hi|hu|id|it|ja|jp|ko|ml|ms|nl|no|pl|pt|ro|ru|sk|sr|sv|ta|te|th|tr|uk"
    "|vi|zh"
)
# Translations are in a folder, or have an ending, named after a language. The other folders hold no edited prose.
_NOT_PROSE = re.compile(
    rf"(?:^|/)_?(?:{_LANGUAGES})(?:[-_]\w+)?/|[._](?:{_LANGUAGES})(?:[-_]\w+)?\.\w+$"
    r"|(?:^|/)_?(?:translations?|vendor|node_modules|testdata|tests?|fixtures|assets|podcast|transcripts?)/",
    re.I,
)
_PLACE = re.compile(r"@@ -(\d+)")
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
# Larger files are data.
LARGEST_FILE = 2_000_000
SEED = 4


@dataclass(frozen=True, slots=True)
class Repository:
    """A clone, bare or not, of the public repository OWNER/NAME."""

    name: str
    folder: Path

    def git(self, *arguments: str) -> str:
        """What a git command prints."""
        done = subprocess.run(self.command(*arguments), capture_output=True, check=False)
        if done.returncode:
            raise DataError(f"{self.folder}: git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode("utf-8", "replace")

    def command(self, *arguments: str) -> list[str]:
        return ["git", "-C", str(self.folder), "-c", "core.quotePath=false", *arguments]

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that a commit changes in one place of a file, each with its mark (space, + or -)."""

    commit: str
    path: str
    start: int  # number of its first line in the file before the change
    lines: list[str]


def find_repositories(folder: Path) -> list[Repository]:
    """The clones in folders named OWNER+NAME, by name: the folder itself is the clone, or `repo` or `.git` in it."""
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder; clone repositories to {folder}/OWNER+NAME")
    found = []
    for path in sorted(folder.glob("*+*")):
        clone = next((one for one in (path, path / "repo", path / ".git") if (one / "HEAD").is_file()), None)
        if clone:
            found.append(Repository(path.name.replace("+", "/", 1), clone))
    return found


def tier_of(message: str) -> str:
    """The tier of a commit, or `REVERT`."""
    subject = message.partition("\n")[0]
    if _REVERT.match(subject):
        return REVERT
    if _TYPO.search(subject):
        return "typo"
    return "fix" if _FIX.search(message) or _TYPO.search(message) else "other"


def list_commits(repository: Repository, tiers: Sequence[str], most: int) -> dict[str, str]:
    """The newest commits, `most` of each tier and of reverts, with their tiers."""
    log = repository.git("log", "--no-merges", "--format=%H%n%B%x00", "HEAD")
    left = dict.fromkeys((*tiers, REVERT), most)
    commits: dict[str, str] = {}
    for entry in log.split("\0"):
        commit, _, message = entry.strip().partition("\n")
        tier = tier_of(message)
        if commit and left.get(tier):
            left[tier] -= 1
            commits[commit] = tier
    return commits


def is_prose(path: str) -> bool:
    """Whether a file may hold English prose, by its name.

    >>> is_prose("docs/how-to-do-it.md"), is_prose("docs/it/index.md"), is_prose("README.zh-CN.md"), is_prose("a.py")
    (True, False, False, False)
    """
    return path.endswith(SUFFIXES) and not _NOT_PROSE.search(path)


def changed_hunks(
    repository: Repository,
    commits: Iterable[str],
    *,
    is_wanted: Callable[[str], bool] = is_prose,
    context: int = 3,
    renames: bool = False,
) -> Iterator[Hunk]:
    """The changes that the commits make to the wanted files, in their order; with `renames`, to moved ones as well."""
    moves = ["--find-renames", "--diff-filter=MR"] if renames else ["--no-renames", "--diff-filter=M"]
    options = ["-p", "-r", f"--unified={context}", *moves, "--no-ext-diff", "--no-textconv"]
    command = repository.command("diff-tree", "--stdin", *options, "--", *(f"*{suffix}" for suffix in EDITED))
    rest = list(commits)
    while rest:
        with tempfile.TemporaryFile() as listed:
            listed.write("".join(f"{commit}\n" for commit in rest).encode())
            listed.seek(0)
            last = rest[0]
            with subprocess.Popen(command, stdin=listed, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as git:
                assert git.stdout is not None and git.stderr is not None
                for hunk in read_hunks(line.decode("utf-8", "replace").rstrip("\r\n") for line in git.stdout):
                    last = hunk.commit
                    if is_wanted(hunk.path):
                        yield hunk
                trouble = git.stderr.read().decode("utf-8", "replace").strip()
        if not git.returncode:
            return
        # A clone may lack large files. The commit that changes one is left out.
        print(f"{repository.name}: {last[:10]} cannot be read whole: {trouble}", file=sys.stderr)
        rest = rest[rest.index(last) + 1 :]


def read_hunks(lines: Iterable[str]) -> Iterator[Hunk]:
    """The hunks of what `git diff-tree --stdin -p` prints."""
    commit = path = ""
    start = 0
    body: list[str] | None = None
    for line in lines:
        if body is not None and line[:1] in {" ", "+", "-", "\\"}:
            if line[0] != "\\":  # \ No newline at end of file
                body.append(line)
            continue
        if body:
            yield Hunk(commit, path, start, body)
        body = None
        if place := _PLACE.match(line):
            start, body = int(place[1]), []
        elif line.startswith("diff --git "):
            path = line.partition(" b/")[2]
        elif _COMMIT.fullmatch(line):
            commit = line
    if body:
        yield Hunk(commit, path, start, body)


def snapshot(repository: Repository) -> Iterator[tuple[str, list[str]]]:
    """Path and lines of each file with prose in the newest commit, in an order that is random but always the same."""
    blobs: Mapping[str, str] = {
        entry.split()[2]: path
        for entry, _, path in (line.partition("\t") for line in repository.git("ls-tree", "-r", "HEAD").splitlines())
        if is_prose(path)
    }
    chosen = sorted(blobs, key=blobs.__getitem__)
    random.Random(SEED).shuffle(chosen)
    for path, content in read_blobs(repository, ((blobs[blob], blob) for blob in chosen)):
        if len(content) < LARGEST_FILE:
            yield path, content.decode("utf-8", "replace").splitlines()


def list_files(repository: Repository) -> dict[str, str]:
    """The blobs of the files in the newest commit, by path."""
    entries = repository.git("ls-tree", "-r", "-z", "HEAD").split("\0")
    return {path: entry.split()[2] for entry, _, path in (line.partition("\t") for line in entries) if path}


def read_blobs(repository: Repository, blobs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
    """Path and content of each (path, blob), in their order. A blob that the clone lacks is reported and left out."""
    with subprocess.Popen(
        repository.command("cat-file", "--batch"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as git:
        assert git.stdin is not None and git.stdout is not None
        for path, blob in blobs:
            git.stdin.write(f"{blob}\n".encode())
            git.stdin.flush()
            header = git.stdout.readline().split()
            if len(header) < 3:
                print(f"{repository.name}: {path} is not in the clone", file=sys.stderr)
                continue
            yield path, git.stdout.read(int(header[2]) + 1)[:-1]  # a line feed follows the content
