"""What is inside a shared library, read from its bytes: of Linux (ELF), macOS (Mach-O) and Windows (PE)."""

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

ELF, MACH_O, PE = "ELF", "Mach-O", "PE"
_ELF_MACHINES = {62: "x86_64", 183: "aarch64"}
_MACH_O_MACHINES = {0x01000007: "x86_64", 0x0100000C: "aarch64"}
_PE_MACHINES = {0x8664: "x86_64", 0xAA64: "aarch64"}
_DYNAMIC_SYMBOLS = 11
_SYMBOL_TABLE, _SIGNATURE = 2, 0x1D
_SHARED_OBJECT, _DYNAMIC_LIBRARY = 3, (6, 8)


class Contents(NamedTuple):
    """The format, the processor, what the library gives to others, what it needs of them, and whether it is signed."""

    format: str
    machine: str
    exported: set[str]
    imported: set[str]
    signed: bool = False
    """macOS loads no library for its own processors that is not."""


def read(data: bytes) -> Contents:
    """The contents of a library; ValueError if it is none."""
    if data[:4] == b"\x7fELF":
        return _elf(data)
    if data[:4] == b"\xcf\xfa\xed\xfe":
        return _mach_o(data)
    if data[:2] == b"MZ":
        return _pe(data)
    raise ValueError("That is no shared library.")


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()


def _elf(data: bytes) -> Contents:
    kind, machine = struct.unpack_from("<HH", data, 16)
    assert kind == _SHARED_OBJECT
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + size * number) for number in range(count)]
    exported, imported = set[str](), set[str]()
    for _, section, _, _, start, length, link, _, _, each in sections:
        if section == _DYNAMIC_SYMBOLS:
            names = sections[link][4]
            for place in range(start + each, start + length, each):
                name, _, _, defined = struct.unpack_from("<IBBH", data, place)
                (exported if defined else imported).add(_text(data, names + name))
    return Contents(ELF, _ELF_MACHINES[machine], exported, imported)


def _mach_o(data: bytes) -> Contents:
    _, machine, _, kind, commands = struct.unpack_from("<IIIII", data)
    assert kind in _DYNAMIC_LIBRARY
    exported, imported, place, signed = set[str](), set[str](), 32, False
    for _ in range(commands):
        command, length = struct.unpack_from("<II", data, place)
        if command == _SYMBOL_TABLE:
            symbols, count, names, _ = struct.unpack_from("<IIII", data, place + 8)
            for number in range(count):
                name, flags, _, _, _ = struct.unpack_from("<IBBHQ", data, symbols + 16 * number)
                if flags & 1:
                    (exported if flags & 0x0E else imported).add(_text(data, names + name).removeprefix("_"))
        signed |= command == _SIGNATURE
        place += length
    return Contents(MACH_O, _MACH_O_MACHINES[machine], exported, imported, signed)


def _pe(data: bytes) -> Contents:
    (header,) = struct.unpack_from("<I", data, 0x3C)
    assert data[header : header + 4] == b"PE\0\0"
    machine, sections = struct.unpack_from("<HH", data, header + 4)
    (optional,) = struct.unpack_from("<H", data, header + 20)
    start = header + 24
    rows = [struct.unpack_from("<8xIIII", data, start + optional + 40 * number) for number in range(sections)]

    def place(address: int) -> int:
        """Where in the file an address of the loaded library is."""
        return int(next(at + address - first for size, first, _, at in rows if first <= address < first + size))

    exports, _, imports, _ = struct.unpack_from("<IIII", data, start + 112)
    count, _, names = struct.unpack_from("<III", data, place(exports) + 24)
    exported = {_text(data, place(struct.unpack_from("<I", data, place(names) + 4 * n)[0])) for n in range(count)}
    return Contents(PE, _PE_MACHINES[machine], exported, set(_pe_imports(data, place(imports), place)))


def _pe_imports(data: bytes, row: int, place: Callable[[int], int]) -> Iterator[str]:
    while (lookup := struct.unpack_from("<I", data, row)[0]) != 0:
        entry = place(lookup)
        while (name := struct.unpack_from("<Q", data, entry)[0]) != 0:
            yield _text(data, place(name) + 2)
            entry += 8
        row += 20
