"""The binding of a native library: C that checks the arguments of a call from Python and passes them on.

It is generated from the kernels' signatures and uses the stable ABI of Python 3.11: one library for all versions.
"""

from collections.abc import Iterator

from archipel.core.compiled import Array, Group, Kernel, Kind
from archipel.core.native import written

from . import targets
from .capture import Captured
from .targets import Target

IMPORTS = (
    "Py_BuildValue", "Py_DecRef", "Py_IncRef", "PyBool_FromLong", "PyBytes_AsString", "PyCFunction_GetFlags",
    "PyCFunction_GetFunction", "PyCFunction_GetSelf", "PyCFunction_Type", "PyErr_Format",
    "PyErr_Occurred", "PyEval_RestoreThread", "PyEval_SaveThread", "PyExc_ImportError", "PyExc_RuntimeError",
    "PyExc_TypeError", "PyFloat_AsDouble", "PyFloat_FromDouble", "PyLong_AsLongLong", "PyLong_FromLongLong",
    "PyModule_Create2", "PyObject_CallFunctionObjArgs", "PyObject_CallObject", "PyObject_IsTrue", "PyTuple_GetItem",
    "PyTuple_New", "PyTuple_SetItem", "PyTuple_Size", "PyType_IsSubtype", "PyUnicode_AsUTF8String",
)  # fmt: skip
"""The symbols that Windows needs from Python's library."""
_DATA = ("PyExc_", "PyCFunction_Type")

_NUMBERS = {int: "long long", float: "double", bool: "uint8_t"}
_API = 3


def definitions() -> str:
    """A definition file of Python's library for the Windows linker."""
    return "LIBRARY python3.dll\nEXPORTS\n" + "".join(
        f"  {name}{' DATA' if name.startswith(_DATA) else ''}\n" for name in IMPORTS
    )


def types(captured: list[Captured]) -> list[str]:
    """The dtypes of all arrays; a dtype's index is its number."""
    found: dict[str, None] = {}
    for each in captured:
        for array in _arrays(each.signature.arguments):
            found[written(array.of)] = None
    return list(found)


def _arrays(kinds: tuple[Kind, ...]) -> Iterator[Array]:
    for kind in kinds:
        if isinstance(kind, Array):
            yield kind
        elif isinstance(kind, Group):
            yield from _arrays(kind.parts)


def source(module: str, kernels: list[Kernel], captured: list[Captured], target: Target) -> str:
    """The whole binding of a library with these kernels, which Python loads as a module of that name."""
    numbers = {name: number for number, name in enumerate(types(captured))}
    parts = [
        _Call(number, kernel, _instances(kernel, captured), target, numbers) for number, kernel in enumerate(kernels)
    ]
    names = ", ".join(f'"{kernel.name}"' for kernel in kernels)
    methods = "".join(f'    {{"{k.name}", {k.name}, FASTCALL, 0}},\n' for k in kernels)
    own = "".join(f'    {{"{name}", {name}, FASTCALL, 0}},\n' for name in ("setup", "look", "otherwise"))
    return "\n".join(
        [
            f"enum {{ TYPES = {len(numbers)}, KERNELS = {len(kernels)} }};",
            f"static const char *const NAMES[] = {{{names}}};",
            '#include "binding.h"',
            *(part.text() for part in parts),
            f"static Method methods[] = {{\n{own}{methods}    {{0, 0, 0, 0}}}};",
            f'static Module module = {{{{1, 0}}, 0, 0, 0, "{module}", 0, -1, methods, 0, 0, 0, 0}};',
            f"EXPORTED Object *PyInit_{module}(void) {{",
            f"    variant = processor() - {targets.skipped(target)};",
            '    if (variant < 0) return PyErr_Format(PyExc_ImportError, "the processor lacks instructions");',
            f"    if (variant >= {len(target.variants)}) variant = {len(target.variants)} - 1;",
            f"    return PyModule_Create2(&module, {_API});",
            "}",
            "",
        ]
    )


def _instances(kernel: Kernel, captured: list[Captured]) -> list[Captured]:
    """The kernel for each choice of record types; one without records is the same in every game."""
    found = {each.types: each for each in reversed(captured) if each.kernel == kernel.name}
    return list(reversed(found.values()))


class _Call:
    """The function that Python calls for one kernel."""

    def __init__(
        self, number: int, kernel: Kernel, instances: list[Captured], target: Target, numbers: dict[str, int]
    ) -> None:
        self._number = number
        self._kernel = kernel
        self._instances = instances
        self._target = target
        self._numbers = numbers
        self._lines: list[str] = []
        self._passed: list[str] = []
        self._declared: list[str] = []
        self._records: list[str] = []
        self._count = 0

    def text(self) -> str:
        name, kernel = self._kernel.name, self._kernel
        for position, kind in enumerate(self._instances[0].signature.arguments):
            self._take(f"args[{position}]", kind, position + 1)
        given = ", ".join(["void *", *self._declared])
        variants = self._target.variants
        functions = [[f"{each.symbol}_{variant.name}" for each in self._instances] for variant in variants]
        externs = "".join(f"int32_t {f}({given});\n" for some in functions for f in some)
        table = ", ".join("{" + ", ".join(some) + "}" for some in functions)
        sizes = f"[{len(variants)}][{len(self._instances)}]"
        call = f"{name}_of[variant][which](&out, {', '.join(self._passed)})"
        released = (
            f"    void *thread = PyEval_SaveThread();\n    int32_t status = {call};\n    PyEval_RestoreThread(thread);"
        )
        return "\n".join(
            [
                f"{externs}static int32_t (*const {name}_of{sizes})({given}) = {{{table}}};",
                *self._table(),
                f"static Object *{name}(Object *self, Object *const *args, Size n) {{",
                f'    if (!count_is(n, {len(kernel.signature.arguments)}, "{name}")) return NULL;',
                *self._lines,
                *self._choice(),
                "    struct { int64_t room[8]; } out;",
                f"    int32_t status = {call};" if kernel.brief else released,
                f'    if (status != 0) return failed("{name}", status);',
                f"    return {self._result()};",
                "}",
            ]
        )

    def _table(self) -> Iterator[str]:
        if self._records:
            rows = ", ".join(str(self._numbers[each]) for instance in self._instances for each in instance.types)
            yield f"static const int {self._kernel.name}_types[] = {{{rows}}};"

    def _choice(self) -> Iterator[str]:
        if not self._records:
            yield "    const int which = 0;"
            return
        name, count = self._kernel.name, len(self._records)
        yield f"    Object *types[] = {{{', '.join(self._records)}}};"
        yield f"    int which = choose(types, {count}, {name}_types, {len(self._instances)});"
        yield "    if (which == -2) return NULL;"
        yield f"    if (which < 0) return call_otherwise({self._number}, args, n);"

    def _take(self, given: str, kind: Kind, position: int) -> None:
        name = f"a{self._count}"
        self._count += 1
        if isinstance(kind, Group):
            self._lines.append(f"    Object *{name} = {given};")
            self._lines.append(f"    if (PyTuple_Size({name}) != {len(kind.parts)}) return PyErr_Occurred() ? NULL : ")
            self._lines[-1] += (
                f'PyErr_Format(PyExc_TypeError, "{self._kernel.name}: argument {position} is incomplete.");'
            )
            for number, part in enumerate(kind.parts):
                self._take(f"PyTuple_GetItem({name}, {number})", part, position)
        elif isinstance(kind, Array):
            self._array(name, given, kind, position)
        else:
            self._number_argument(name, given, kind)

    def _number_argument(self, name: str, given: str, kind: type) -> None:
        if kind is bool:
            self._lines.append(f"    int {name} = PyObject_IsTrue({given});")
            self._lines.append(f"    if ({name} < 0) return NULL;")
        else:
            read = "PyLong_AsLongLong" if kind is int else "PyFloat_AsDouble"
            self._lines.append(f"    {_NUMBERS[kind]} {name} = {read}({given});")
            self._lines.append(f"    if ({name} == -1 && PyErr_Occurred()) return NULL;")
        self._declared.append("int64_t" if kind is int else _NUMBERS[kind])
        self._passed.append(name)

    def _array(self, name: str, given: str, kind: Array, position: int) -> None:
        where = f'"{self._kernel.name}", {position}'
        self._lines.append(f"    Array *{name} = array_of({given}, {kind.dimensions}, {where});")
        self._lines.append(f"    if (!{name}) return NULL;")
        if kind.of.fields:
            self._records.append(f"{name}->type")
            self._lines.append(f"    if (is_strange({name}->type)) return call_otherwise({self._number}, args, n);")
        else:
            self._lines.append(f"    if (!is_of({name}, {self._numbers[written(kind.of)]}, {where})) return NULL;")
        self._declared += ["void *", *["int64_t"] * kind.dimensions]
        self._passed += [f"{name}->data", *(f"{name}->shape[{k}]" for k in range(kind.dimensions))]

    def _result(self) -> str:
        made = [_returned(kind, f"out.room[{place}]") for place, kind in enumerate(self._kernel.signature.result)]
        if len(made) > 1:
            return f'Py_BuildValue("({"N" * len(made)})", {", ".join(made)})'
        return made[0] if made else 'Py_BuildValue("")'


def _returned(kind: type, place: str) -> str:
    if kind is int:
        return f"PyLong_FromLongLong({place})"
    return f"PyFloat_FromDouble(*(double *)&{place})" if kind is float else f"PyBool_FromLong((long){place})"
