"""A folder is a registry: the members of one package, imported only when asked for."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Generic, TypeVar

from audit.errors import UnknownName

T = TypeVar("T")


class Family(Generic[T]):
    """The values named *constant* in the modules of *package*.

    A name may come from a log or a command line, so it is matched against the
    folder and never joined into an import.  Modules that begin with `_` are
    shared parents and no members.
    """

    def __init__(
        self, package: ModuleType, constant: str, kind: type[T], *, without: tuple[str, ...] = ()
    ) -> None:
        self._package, self._constant, self._kind = package, constant, kind
        found = (m.name for m in iter_modules(package.__path__))
        self.names = tuple(sorted(n for n in found if not n.startswith("_") and n not in without))

    def __getitem__(self, name: str) -> T:
        if name not in self.names:
            raise UnknownName(self._constant.lower(), name, self.names)
        value = getattr(import_module(f"{self._package.__name__}.{name}"), self._constant)
        if not isinstance(value, self._kind):
            raise TypeError(f"{name}.{self._constant} is not a {self._kind.__name__}")
        return value
