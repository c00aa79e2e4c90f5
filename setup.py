"""Compiled twins of the hot loops; each has a plain-Python twin beside it, so a failed build is not an error.

Everything else about the package is in pyproject.toml.
"""

from pathlib import Path

from setuptools import Extension, setup

SOURCES = sorted(Path("src").glob("errata/**/*.pyx"))


def extensions() -> list[Extension]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    modules = cythonize(
        [Extension(".".join(p.with_suffix("").parts[1:]), [str(p)]) for p in SOURCES],
        language_level=3,
    )
    for module in modules:
        module.optional = True
        module.extra_compile_args = ["-O3", "-g0"]  # nobody steps through them: a fifth of the size
    return modules


setup(ext_modules=extensions(), options={"build_ext": {"parallel": True}})
