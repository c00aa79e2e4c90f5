"""Files that are not prose, and that errata cannot read yet: known by their name, suffix or first line."""

from __future__ import annotations

from pathlib import Path

from errata.errors import DataError
from errata.formats.detect import COMPRESSION

# Kind of file → suffixes.
_SUFFIXES = {
    "source code": (
        ".asm .awk .bas .bat .c .cc .clj .cljs .cmake .cmd .coffee .cpp .cr .cs .css .cu .cxx .d .dart .el .elm .erl "
        ".ex .exs .f .f90 .fs .gd .go .gradle .graphql .groovy .h .hh .hpp .hs .hxx .java .jl .js .jsx .kt .kts "
        ".less .lisp .lua .m .mjs .cjs .mk .ml .mli .mm .nim .nix .pas .php .pl .pm .proto .ps1 .py .pyi .pyx .r .rb "
        ".rkt .rs .s .sass .scala .scm .scss .sh .bash .zsh .fish .sol .sql .sv .svelte .swift .tcl .tf .ts .tsx .v "
        ".vb .vhd .vim .vue .wat .zig"
    ),
    "reStructuredText": ".rst .rest",
    "AsciiDoc": ".adoc .asciidoc",
    "Org": ".org",
    "MDX": ".mdx",
    "HTML": ".html .htm .xhtml .jinja .j2 .erb .ejs .hbs .mustache .twig .liquid",
    "XML": ".xml .svg .xsl .xslt .xsd .rss .atom .plist .dtd .opml .docbook .fb2",
    "TeX": ".tex .ltx .sty .cls .bib .bbl .bst .dtx .texi .texinfo",
    "a notebook": ".ipynb",
    "data": (
        ".json .jsonl .ndjson .json5 .yaml .yml .toml .ini .cfg .conf .properties .env .csv .tsv .tab .ics .vcf "
        ".geojson"
    ),
    "a file of annotated sentences": ".m2",
    "a translation catalogue": ".po .pot .xliff .xlf .arb .strings",
    "a file of subtitles": ".srt .vtt .ass .sub",
    "a patch": ".diff .patch",
    "a lock file": ".lock .sum",
    "an office document": (
        ".doc .docx .docm .dot .dotx .odt .ott .rtf .pages .pdf .ps .eps .epub .mobi .azw3 .djvu .ppt .pptx .odp "
        ".key .xls .xlsx .xlsm .ods .numbers .msg .eml"
    ),
    "an image, a sound or a video": (
        ".png .jpg .jpeg .gif .webp .bmp .ico .tif .tiff .heic .psd .ai .mp3 .wav .ogg .flac .m4a .mp4 .mov .mkv "
        ".avi .webm"
    ),
    "an archive": ".zip .tar .tgz .bz2 .zst .7z .rar .jar .war .whl .egg .deb .rpm .dmg .iso .apk",
    "a binary file": (
        ".exe .dll .so .dylib .a .o .obj .class .pyc .pyo .wasm .bin .dat .db .sqlite .sqlite3 .onnx .pt .pth "
        ".safetensors .npy .npz .pkl .parquet .arrow .h5 .ttf .otf .woff .woff2"
    ),
}
_NAMES = {
    "source code": (
        "Makefile GNUmakefile CMakeLists.txt Dockerfile Containerfile Jenkinsfile Vagrantfile Rakefile Gemfile "
        "Podfile Procfile Brewfile Justfile"
    ),
    "data": "requirements.txt constraints.txt robots.txt CODEOWNERS",
}
_KIND_OF_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_KIND_OF_NAME = {name.lower(): kind for kind, names in _NAMES.items() for name in names.split()}
# First characters of a file without a suffix → its kind.
_BEGINNINGS = {b"#!": "source code", b"<!doctype html": "HTML", b"<html": "HTML", b"<?xml": "XML"}
_LONGEST_BEGINNING = 64
# Texts that somebody may expect to be read: what a folder has of these is told.
DOCUMENTS = frozenset({"reStructuredText", "AsciiDoc", "Org", "MDX", "HTML", "TeX", "a notebook", "an office document"})
_UNREADABLE = frozenset({"an office document", "an image, a sound or a video", "an archive", "a binary file"})


def plain_path(path: str) -> Path:
    """The path as it is after unpacking: `notes.md.gz` is `notes.md`."""
    return Path(path).with_suffix("") if Path(path).suffix in COMPRESSION else Path(path)


def kind_by_name(path: str) -> str:
    """What the name says the file is, if that is not prose; "" where it may be prose."""
    plain = plain_path(path)
    return _KIND_OF_NAME.get(plain.name.lower()) or _KIND_OF_SUFFIX.get(plain.suffix.lower(), "")


def kind_of(path: str) -> str:
    """What the file is, by its name or by how it begins, if that is not prose; "" where it may be prose."""
    kind = kind_by_name(path)
    if kind or Path(path).suffix or not Path(path).is_file():
        return kind
    try:
        with Path(path).open("rb") as stream:
            beginning = stream.read(_LONGEST_BEGINNING).removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error
    return next((kind for start, kind in _BEGINNINGS.items() if beginning.startswith(start)), "")


def advice(kind: str) -> str:
    """What to do with a file of this kind."""
    if kind in _UNREADABLE:
        return "save it as text or Markdown first"
    return "--markup text reads it as plain text anyway"
