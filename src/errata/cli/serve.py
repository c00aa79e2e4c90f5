"""`errata serve`: an HTTP server that corrects, for editors, programs and people."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from errata.errors import DataError, MissingExtra, UsageError

# LanguageTool's own server listens there, so its clients find this one without being told.
PORT = 8081


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 is every one of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 is any free one.")] = PORT,
    model: Annotated[
        list[str] | None,
        typer.Option(help="Name or folder (./mine), one per language; the default models if none."),
    ] = None,
    allow_network: Annotated[
        bool, typer.Option("--allow-network", help="Let a model behind an endpoint send the text there.")
    ] = False,
    rules: Annotated[
        bool, typer.Option("--rules/--no-rules", help="Correct everyday slips by rule too (errata rules).")
    ] = True,
    without_rule: Annotated[list[str] | None, typer.Option(help="Rule that shall not count.")] = None,
    rule_file: Annotated[list[Path] | None, typer.Option(help="File of rules of your own.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the server's database; made if missing.")] = None,
    db: Annotated[str, typer.Option(help="Database URL instead, such as postgresql://user@host/errata.")] = "",
    users: Annotated[
        Path | None, typer.Option(help="File with a user name and a key on each line; others may not use /v2/words.")
    ] = None,
    max_words: Annotated[int, typer.Option(min=1, help="Words a user may keep.")] = 10_000,
    max_users: Annotated[int, typer.Option(min=1, help="Users who may keep words where there is no --users.")] = 1_000,
    max_length: Annotated[int, typer.Option(min=1, help="Longest request, in characters.")] = 50_000,
    queue: Annotated[int, typer.Option(min=1, help="Requests that may wait for a model before others get 503.")] = 512,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds a request may take before it gets 504.")] = 30.0,
    max_connections: Annotated[int, typer.Option(min=1, help="Clients that may be connected at a time.")] = 900,
    workers: Annotated[int, typer.Option(min=1, help="Batches of a model that run at a time.")] = 1,
    recent: Annotated[int, typer.Option(min=0, help="Corrected sentences to remember, for each model.")] = 20_000,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="Name the server goes by beside localhost and addresses; * is any.")
    ] = None,
    cors: Annotated[
        list[str] | None, typer.Option(help="Origin whose pages may ask (browser extensions need one); * is all.")
    ] = None,
    without_part: Annotated[
        list[str] | None, typer.Option(help="Part of the server to leave out, such as playground.")
    ] = None,
    access_log: Annotated[bool, typer.Option("--access-log/--no-access-log", help="A JSON line per request.")] = True,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve corrections over HTTP: a page at /, LanguageTool's API under /v2, errata's own under /v1.

    People annotate together under /workbench/ (errata users, errata annotate).

    The address is printed on standard output once requests are taken; the log goes to standard error.

    Example: errata serve --port 8081
    """
    from errata.pipeline.load import load_model

    try:
        from errata.web.app import create_app
        from errata.web.parts import choose_parts
        from errata.web.run import bind
        from errata.web.run import serve as run
        from errata.web.settings import Settings
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "the web server", "serve") from error

    parts = choose_parts(without=without_part or ())
    settings = Settings(
        models=find_models(model or []),
        database=db or database_in(data),
        max_words=max_words,
        max_users=max_users,
        max_length=max_length,
        queue=queue,
        timeout=timeout,
        max_connections=max_connections,
        workers=workers,
        recent=recent,
        hosts=(host, *(allow_host or ())),
        cors=tuple(cors or ()),
        access_log=access_log,
        api_keys=read_users(users) if users else None,
    )
    load = partial(
        load_model,
        allow_network=allow_network,
        rules=rules,
        without_rules=without_rule or (),
        rule_files=rule_file or (),
    )
    with bind(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listener.getsockname()[1]}/"
        run(create_app(settings, load, parts), listener, on_start=lambda: announce(address, open_browser))


def announce(address: str, open_browser: bool) -> None:
    typer.echo(address)
    if open_browser:
        typer.launch(address)


def find_models(names: list[str]) -> dict[str, str]:
    """Language → model: those named, else the default ones that are installed."""
    from errata.cli.model_names import given_with
    from errata.systems.installed import BUNDLED, default_models, find_model
    from errata.systems.manifest import read_manifest, read_name

    if not names:
        installed = default_models()
        if not installed:
            raise DataError("no model is installed: give --model FOLDER")
        for language in BUNDLED.keys() - installed.keys():
            typer.echo(f"errata: {BUNDLED[language]} is not installed, so {language} is not corrected", err=True)
        return installed
    found: dict[str, str] = {}
    for name in names:
        with given_with("--model"):
            folder = find_model(name)
        language = read_name(folder, read_manifest(folder), "language")
        if language in found:
            raise UsageError(f"{found[language]} and {name} both correct {language}: give one model per language")
        found[language] = name
    return found


def database_in(folder: Path | None) -> str:
    """The URL of the database in a folder, by default where the platform keeps a program's data."""
    folder = _data_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot make {folder}: {error.strerror}; give --data FOLDER or --db URL") from error
    return f"sqlite:///{folder.resolve() / 'server.db'}"


def find_database(folder: Path | None, url: str) -> str:
    """The URL of a database that is there already: a folder with a slip in its name is not made."""
    if url and not url.startswith("sqlite:///"):
        return url
    file = Path(url.removeprefix("sqlite:///")) if url else _data_folder(folder) / "server.db"
    if not file.exists():
        place = file if url else file.parent
        raise DataError(
            f"there is no database in {place}: errata users add NAME --owner makes one, --data names another"
        )
    return url or database_in(folder)


def _data_folder(folder: Path | None) -> Path:
    if folder is not None:
        return folder
    found = Path(typer.get_app_dir("errata"))
    if not found.is_absolute():  # `~` stays where there is no home folder
        raise DataError(f"{found} is no whole path (is HOME set?): give --data FOLDER or --db URL")
    return found


def read_users(path: Path) -> dict[str, str]:
    """User name → key, from a file with both on each line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read {path}: {error}") from error
    users: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if fields and len(fields) != 2:
            raise DataError(f"{path}:{number}: expected a user name and a key, separated by white space")
        if fields and fields[0] in users:
            raise DataError(f"{path}:{number}: the user {fields[0]} has a key already")
        if fields:
            users[fields[0]] = fields[1]
    return users
