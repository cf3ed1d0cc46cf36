"""Translates Python functions and classes to JavaScript, so that a page runs the same rules of a table as the server.

Given a few functions and classes, `Translator` follows everything that they use: other functions, classes, and the
constants of their modules, which are written down as they are in this process. What is compiled ahead of time stays
a call into WebAssembly. `web/src/local/python.ts` has what Python brings itself: its operators, types and built-ins.

Only a part of Python is understood, that in which rules and tables are written. A function that uses anything else
throws an error when it is called in a page, and `absent` says which ones do and why: there is never JavaScript that
means something else.
"""

import ast
import base64
import builtins
import dataclasses
import enum
import functools
import inspect
import json
import textwrap
import types
import typing
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

RESERVED = frozenset((
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
    "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if",
    "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package", "private",
    "protected", "public", "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof",
    "var", "void", "while", "with", "yield", "py",
))  # fmt: skip
BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.LShift: "shl", ast.RShift: "shr", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.Pow: "pow",
}  # fmt: skip
ORDER = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
TYPES = {
    int: "int",
    str: "str",
    bool: "bool",
    float: "float",
    dict: "dict",
    list: "list",
    tuple: "list",
    bytes: "bytes",
}
SAFE = 1 << 53
IMPLIED = ("__init__", "__post_init__", "__call__", "__len__", "__eq__", "__iter__", "__getitem__", "__contains__")
"""Methods that nobody calls by name."""


class Untranslatable(ValueError):
    """Some Python that has no JavaScript."""


class Translator:
    """Gathers JavaScript for whatever it is asked for, and for all that this uses.

    `natives` says which objects have JavaScript of their own: an expression for each. `instead` gives for an object
    that has no source, as a compiled function, one that has.
    """

    def __init__(self, natives: Iterable[tuple[Any, str]], instead: Iterable[tuple[Any, Any]] = ()) -> None:
        self._native = {id(value): (value, said) for value, said in natives}
        self._instead = {id(value): (value, other) for value, other in instead}
        self._named: dict[int, tuple[Any, str]] = {}
        self._names: set[str] = set()
        self._classes: dict[type, str] = {}
        self._members: dict[type, set[str]] = {}
        self._wanted: set[str] = set()
        self._heads: list[str] = []
        self._functions: list[str] = []
        self._constants: list[str] = []
        self._tails: list[str] = []
        self._due: deque[Callable[[], None]] = deque()
        self.absent: dict[str, str] = {}
        """Functions that cannot be called in a page, and why: they read files, start threads and the like."""

    def module(self, exports: Mapping[str, Any], wanted: Iterable[str] = ()) -> str:
        """A JavaScript module whose default export makes the objects of these names from the run-time `py`.

        `wanted` are methods and attributes that nothing in the objects themselves mentions.
        """
        self._want([*IMPLIED, *wanted])
        given = {name: self.reference(value, name) for name, value in exports.items()}
        self._finish()
        body = "\n".join([*self._heads, *self._functions, *self._constants, *self._tails])
        made = ", ".join(f"{name}: {said}" for name, said in given.items())
        return f"export default (py) => {{\n{body}\nreturn {{ {made} }};\n}};\n"

    def answer(self, function: Any, said: str) -> None:
        """Let JavaScript stand for a function: where it would look into files or modules, what it would find."""
        name = self._name(function, f"answer_{function.__name__}")
        self._native[id(function)] = function, name
        self._functions.append(f"const {name} = {said};")

    def _finish(self) -> None:
        """Translate what is due; every name that is used may make methods of known classes due."""
        while self._due or self._add_members():
            while self._due:
                self._due.popleft()()

    def _want(self, names: Iterable[str]) -> None:
        self._wanted.update(names)

    # Values

    def reference(self, value: Any, hint: str = "value") -> str:
        """An expression for a value of this process."""
        if id(value) in self._native:
            return self._native[id(value)][1]
        if id(value) in self._instead:
            return self.reference(self._instead[id(value)][1], hint)
        if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, enum.Enum)):
            return literal(value)
        if isinstance(value, np.generic):
            return literal(value.item())
        if id(value) in self._named:
            return self._named[id(value)][1]
        if isinstance(value, type):
            return self._class(value)
        if inspect.isroutine(value) or hasattr(value, "__wrapped__") or hasattr(value, "py_func"):
            return self._function(value)
        return self._constant(value, hint)

    def instead(self, value: Any) -> Any:
        """The object whose source is translated for this one."""
        return self._instead.get(id(value), (value, value))[1]

    def _name(self, value: Any, hint: str) -> str:
        stem = "".join(letter if letter.isalnum() else "_" for letter in hint)
        name = f"${stem}"  # no variable of a function is called so
        number = 1
        while name in self._names:
            number += 1
            name = f"${stem}{number}"
        self._names.add(name)
        self._named[id(value)] = value, name  # kept, so that no other object gets its id
        return name

    def _constant(self, value: Any, hint: str) -> str:
        said = self._written(value, hint)
        name = self._name(value, hint)
        self._constants.append(f"const {name} = {said};")
        return name

    def _written(self, value: Any, hint: str) -> str:
        if isinstance(value, np.ndarray):
            if value.dtype.names:
                data = base64.b64encode(value.tobytes()).decode()
                return f"py.record({json.dumps(layout(value.dtype))}, {data!r})"
            if value.dtype in (np.float64, np.int64) and value.ndim > 1:
                kind, data = value.dtype.str[1:], base64.b64encode(value.tobytes()).decode()
                return f"py.grid({json.dumps(kind)}, {json.dumps(value.shape)}, {data!r})"
            return json.dumps(value.tolist())
        if isinstance(value, np.dtype):
            return json.dumps(layout(value))
        if isinstance(value, msgspec.Raw):
            return f"new py.Raw({json.dumps(bytes(value).decode())})"
        if isinstance(value, bytes):
            return f"py.unhex({value.hex()!r})"
        if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
            return f"[{', '.join(self.reference(item, hint) for item in value)}]"
        if isinstance(value, set | frozenset):
            return f"new Set([{', '.join(self.reference(item, hint) for item in sorted(value, key=repr))}])"
        if isinstance(value, dict | types.MappingProxyType):
            items = (f"[{self.reference(key, hint)}, {self.reference(item, hint)}]" for key, item in value.items())
            return f"new Map([{', '.join(items)}])"
        if isinstance(value, types.ModuleType):  # all that is asked of one: whether it has some function
            return json.dumps({name: True for name, own in vars(value).items() if inspect.isroutine(plain(own))})
        kind = type(value)
        if not kind.__module__.startswith("archipel"):
            raise Untranslatable(f"{hint} is a {kind.__module__}.{kind.__qualname__}, which JavaScript does not have.")
        fields = getattr(value, "_fields", getattr(kind, "__struct_fields__", None))
        own = dict(vars(value)) if fields is None else {name: getattr(value, name) for name in fields}
        parts = (f"{json.dumps(name)}: {self.reference(item, name)}" for name, item in own.items())
        return f"py.revived({self.reference(kind)}, {{ {', '.join(parts)} }})"

    # Functions

    def _function(self, value: Any) -> str:
        function = plain(value)
        if id(function) in self._named:
            return self._named[id(function)][1]
        if _is_constant(value):
            made = self.reference(value(), function.__name__)
            said = f"() => {made}"
            name = self._name(value, function.__name__)
            self._functions.append(f"const {name} = {said};")
            return name
        if not isinstance(function, types.FunctionType):
            raise Untranslatable(f"{value!r} is not written in Python.")
        owner = _owner(function)
        if owner is not None:
            self._want([function.__name__])
            said = f"py.unbound({self._class(owner)}, {json.dumps(function.__name__)})"
            self._named[id(function)] = function, said
            return said
        name = self._name(function, function.__name__ if function.__name__ != "<lambda>" else "lambda")
        if value is not function:
            self._named[id(value)] = value, name
        remembers = _is_remembering(value)
        self._due.append(lambda: self._functions.append(self._told(function, name, remembers)))
        return name

    def _told(self, function: types.FunctionType, name: str, remembers: bool) -> str:
        if not remembers:
            return self._translated(function, name)
        return f"const {name} = py.remembering({self._translated(function, '', 'static_')});"

    def _translated(self, function: types.FunctionType, name: str, method: str | None = None) -> str:
        try:
            node = parsed(function)
            scope = Scope(self, function, node)
            said = scope.function(node, name, method)
            return f"py.freeing({said})" if hasattr(function, "frees") else said
        except Untranslatable as error:
            path = f"{function.__module__}.{function.__qualname__}"
            self.absent[path] = str(error)
            return f"function {'' if method else name}() {{ py.absent({json.dumps(path)}); }}"

    # Classes

    def _class(self, kind: type) -> str:
        if kind in self._classes:
            return self._classes[kind]
        if not kind.__module__.startswith("archipel"):
            raise Untranslatable(f"{kind.__module__}.{kind.__qualname__} has no JavaScript.")
        bases = [base for base in kind.__bases__ if base.__module__.startswith("archipel")]
        if len(bases) > 1:
            raise Untranslatable(f"{kind.__qualname__} has two base classes.")
        base = self._class(bases[0]) if bases else _root(kind)
        name = self._classes[kind] = self._name(kind, kind.__name__)
        self._members[kind] = set()
        self._heads.append(f"class {name} extends {base} {{}}")
        fields = _fields(kind)
        if fields is not None:
            self._due.append(lambda: self._tails.append(self._made_of(kind, name, fields)))
        return name

    def _made_of(self, kind: type, name: str, fields: dict[str, Any]) -> str:
        """How a class of fields is made: their names, defaults, and how a message writes them."""
        defaults = {field: self._default(default) for field, default in fields.items() if default is not _REQUIRED}
        said = ", ".join(f"{json.dumps(field)}: () => {default}" for field, default in defaults.items())
        about = ""
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            config = kind.__struct_config__
            written = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
            about = ", " + json.dumps(
                {"tag": [config.tag_field, config.tag] if config.tag else None, "omit": config.omit_defaults,
                 "written": written}
            )  # fmt: skip
        return f"py.fields({name}, {json.dumps(list(fields))}, {{ {said} }}{about});"

    def _default(self, default: Any) -> str:
        if isinstance(default, _Made):
            return (
                f"{self.reference(default.factory)}()"
                if default.factory not in (list, dict)
                else ("[]" if default.factory is list else "new Map()")
            )
        return self.reference(default)

    def _add_members(self) -> bool:
        """Add the methods and attributes of known classes that something mentions; were there any?"""
        found = False
        for kind in list(self._members):
            for member in sorted(self._wanted - self._members[kind]):
                if member in vars(kind):
                    self._members[kind].add(member)
                    self._add_member(kind, member)
                    found = True
        return found

    def _add_member(self, kind: type, member: str) -> None:
        value, name = vars(kind)[member], self._classes[kind]
        if isinstance(value, types.MemberDescriptorType) or getattr(value, "__isabstractmethod__", False):
            return
        if member in (_fields(kind) or ()) or _is_generated(value):
            return
        if isinstance(value, property) or type(value).__name__ == "cached_property":
            function: Any = value.fget if isinstance(value, property) else value.func
            put = "getter"
        elif isinstance(value, classmethod | staticmethod):
            function, put = value.__func__, "static_" if isinstance(value, staticmethod) else "classmethod"
        elif isinstance(value, types.FunctionType) or hasattr(value, "__wrapped__"):
            function, put = plain(value), "method"
        else:
            if hasattr(value, "__get__") and not isinstance(value, type):
                return
            self._tails.append(f"py.attribute({name}, {json.dumps(member)}, {self.reference(value, member)});")
            return
        said = self._translated(function, member, put)
        self._tails.append(f"py.{put}({name}, {json.dumps(member)}, {said});")


class _Made(typing.NamedTuple):
    factory: Any


_REQUIRED = object()


def _fields(kind: type) -> dict[str, Any] | None:
    """The fields of a data class, named tuple or struct in the order of its constructor, each with its default."""
    if dataclasses.is_dataclass(kind):
        return {field.name: _field_default(field) for field in dataclasses.fields(kind) if field.init}
    if hasattr(kind, "_fields") and issubclass(kind, tuple):
        defaults: dict[str, Any] = getattr(kind, "_field_defaults", {})
        return {name: defaults.get(name, _REQUIRED) for name in getattr(kind, "_fields", ())}
    if issubclass(kind, msgspec.Struct):
        return {field.name: _struct_default(field) for field in msgspec.structs.fields(kind)}
    return None


def _field_default(field: Any) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    return _REQUIRED if field.default_factory is dataclasses.MISSING else _Made(field.default_factory)


def _struct_default(field: Any) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return _REQUIRED if field.default_factory is msgspec.NODEFAULT else _Made(field.default_factory)


def _is_generated(value: Any) -> bool:
    """Is it a method that a decorator wrote, as those of data classes? A page has its own."""
    return isinstance(value, types.FunctionType) and value.__code__.co_filename.startswith("<")


def _root(kind: type) -> str:
    """What a class without a base of ours is in JavaScript."""
    if issubclass(kind, tuple):
        return "py.NamedTuple"
    for builtin in (KeyError, ValueError, TypeError, Exception):
        if issubclass(kind, builtin):
            return f"py.{builtin.__name__}"
    return "py.Object"


def _is_constant(value: Any) -> bool:
    """Is it a cached function without arguments? What it returns never changes, and may come from a file."""
    return hasattr(value, "cache_info") and not inspect.signature(value).parameters


def _is_remembering(value: Any) -> bool:
    """Does it keep all its results? A cache with a limit is a matter of speed, and a page does without."""
    return hasattr(value, "cache_info") and value.cache_parameters()["maxsize"] is None


def _owner(function: types.FunctionType) -> type | None:
    """The class whose method a function is."""
    path = function.__qualname__.split(".")
    if len(path) != 2 or path[0] == "<locals>":
        return None
    owner = function.__globals__.get(path[0])
    return owner if isinstance(owner, type) else None


def plain(value: Any) -> Any:
    """The function in Python behind caches and compilers."""
    while True:
        inner = getattr(value, "py_func", None) or getattr(value, "__wrapped__", None)
        if inner is None:
            return value
        value = inner


def layout(kind: "np.dtype[np.void]") -> dict[str, Any]:
    """How a record lies in memory: its size, and of each field the type of its numbers, where they begin, the shape."""
    fields = {
        name: [field.base.str[1:], offset, list(field.shape)]
        for name, (field, offset, *_) in (kind.fields or {}).items()
    }
    return {"itemsize": kind.itemsize, "fields": fields}


def parsed(function: types.FunctionType) -> Any:
    """The syntax tree of a function's definition."""
    if function.__name__ == "<lambda>":
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)).strip().rstrip(","))
        return next(node for node in ast.walk(tree) if isinstance(node, ast.Lambda))
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    first = function.__code__.co_firstlineno
    ast.increment_lineno(node, first - 1)
    return node


def literal(value: Any) -> str:
    """A number, a text, true, false or nothing, as JavaScript writes it."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > SAFE:
        return f"{value}n"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return json.dumps(value)


def safe(name: str) -> str:
    """A name that means nothing else in JavaScript."""
    return f"{name}_" if name in RESERVED else name


class Scope:
    """One function, and what its names mean."""

    def __init__(self, translator: Translator, function: types.FunctionType, node: Any) -> None:
        self.translator = translator
        self.function_ = function
        self.globals = dict(function.__globals__)
        closed = inspect.getclosurevars(function).nonlocals if function.__closure__ else {}
        self.globals |= {name: value for name, value in closed.items() if name != "__class__"}
        self.locals: list[set[str]] = []
        self.own_class: str | None = None
        """What a class method calls its class."""
        self.counter = 0

    def fail(self, node: ast.AST, what: str) -> Untranslatable:
        where = f"{self.function_.__code__.co_filename}:{getattr(node, 'lineno', '?')}"
        return Untranslatable(f"{where}: {what} has no JavaScript: {ast.unparse(node)[:80]}")

    # Definitions

    def function(self, node: Any, name: str, method: str | None = None) -> str:
        arguments = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        first = arguments.pop(0) if method and method != "static_" else None
        self.own_class = first if method == "classmethod" else None
        return self._definition(node, name, arguments, self._given_defaults(node), first, method is not None)

    def _given_defaults(self, node: Any) -> dict[str, str]:
        """The defaults of the arguments of a function of this process, as they were evaluated."""
        names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        given = self.function_.__defaults__ or ()
        found = dict(zip(names[len(names) - len(given) :], given, strict=True)) | (self.function_.__kwdefaults__ or {})
        return {name: self.translator.reference(value, name) for name, value in found.items()}

    def _definition(
        self, node: Any, name: str, arguments: list[str], defaults: dict[str, str], first: str | None, anonymous: bool
    ) -> str:
        arguments = [*arguments, *(argument.arg for argument in node.args.kwonlyargs)]
        rest = [node.args.vararg.arg] if node.args.vararg else []
        if node.args.kwarg:  # a dictionary, given last
            arguments.append(node.args.kwarg.arg)
            defaults = defaults | {node.args.kwarg.arg: "new Map()"}
        body = node.body if isinstance(node.body, list) else [ast.Return(node.body)]
        own = _assigned(body) - {*arguments, *rest}
        own -= _declared(body)
        self.locals.append({*arguments, *rest, *own, *([first] if first else [])})
        self._imported(body)
        parameters = [safe(a) + (f" = {defaults[a]}" if a in defaults else "") for a in arguments]
        parameters += [f"...{safe(name)}" for name in rest]
        star = "*" if _yields(body) else ""
        lines = [f"const {safe(first)} = this;"] if first else []
        lines += [f"let {', '.join(map(safe, sorted(own)))};"] if own else []
        lines += [self.statement(each) for each in body]
        self.locals.pop()
        said = "\n".join(line for line in lines if line)
        return f"function{star} {'' if anonymous else name}({', '.join(parameters)}) {{\n{said}\n}}"

    def _imported(self, body: list[ast.stmt]) -> None:
        """Imports inside a function: their names mean the same as at the top of a module."""
        for node in ast.walk(ast.Module(body, [])):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found: dict[str, Any] = {}
                exec(compile(ast.Module([node], []), "<import>", "exec"), self.globals, found)
                self.globals |= found
                self.locals[-1] -= set(found)

    # Statements

    def statement(self, node: ast.stmt) -> str:
        said: Callable[[Any], str] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if said is None:
            raise self.fail(node, type(node).__name__)
        return said(node)

    def _block(self, body: list[ast.stmt]) -> str:
        return "{\n" + "\n".join(line for each in body if (line := self.statement(each))) + "\n}"

    def _expr(self, node: ast.Expr) -> str:
        return "" if isinstance(node.value, ast.Constant) else f"{self.say(node.value)};"

    def _pass(self, node: ast.Pass) -> str:
        return ""

    def _import(self, node: ast.stmt) -> str:
        return ""

    _importfrom = _import
    _assert = _import

    def _break(self, node: ast.Break) -> str:
        return "break;"

    def _continue(self, node: ast.Continue) -> str:
        return "continue;"

    def _nonlocal(self, node: ast.Nonlocal) -> str:
        return ""

    def _return(self, node: ast.Return) -> str:
        return f"return {self.say(node.value)};" if node.value else "return null;"

    def _functiondef(self, node: ast.FunctionDef) -> str:
        arguments = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        defaults = self._said_defaults(node)
        return f"{safe(node.name)} = {self._definition(node, '', arguments, defaults, None, True)};"

    def _said_defaults(self, node: Any) -> dict[str, str]:
        names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        given = node.args.defaults
        return {name: self.say(value) for name, value in zip(names[len(names) - len(given) :], given, strict=True)}

    def _assign(self, node: ast.Assign) -> str:
        value = self.say(node.value)
        if len(node.targets) > 1:
            value, first = f"m${self._next()}", value
            return "\n".join([f"const {value} = {first};", *(self._put(each, value) for each in node.targets)])
        return self._put(node.targets[0], value)

    def _annassign(self, node: ast.AnnAssign) -> str:
        return self._put(node.target, self.say(node.value)) if node.value else ""

    def _augassign(self, node: ast.AugAssign) -> str:
        helper = BINARY.get(type(node.op))
        if helper is None:
            raise self.fail(node, "an operator")
        return self._put(node.target, f"py.{helper}({self.say(_loaded(node.target))}, {self.say(node.value)}, true)")

    def _put(self, target: ast.expr, value: str) -> str:
        if isinstance(target, ast.Name):
            return f"{safe(target.id)} = {value};"
        if isinstance(target, ast.Attribute):
            return f"{self.say(target.value)}.{target.attr} = {value};"
        if isinstance(target, ast.Subscript):
            if isinstance(target.slice, ast.Slice):
                return f"py.setslice({self.say(target.value)}, {self._slice(target.slice)}, {value});"
            return f"py.set({self.say(target.value)}, {self.say(target.slice)}, {value});"
        if isinstance(target, ast.Tuple | ast.List):
            return self._unpack(target, value)
        raise self.fail(target, "an assignment")

    def _unpack(self, target: ast.Tuple | ast.List, value: str) -> str:
        if all(isinstance(each, ast.Name | ast.Tuple | ast.Starred) for each in target.elts):
            taken = "backwards" if _is_last_of(target) else "unpack"
            return f"({self._pattern(target)} = py.{taken}({value}));"
        name = f"u${self._next()}"
        puts = [self._put(each, f"{name}[{i}]") for i, each in enumerate(target.elts)]
        return "\n".join([f"const {name} = [...py.iter({value})];", *puts])

    def _pattern(self, target: ast.expr) -> str:
        if isinstance(target, ast.Name):
            return safe(target.id)
        if isinstance(target, ast.Starred):
            return f"...{self._pattern(target.value)}"
        if isinstance(target, ast.Tuple | ast.List):
            parts = [self._pattern(each) for each in target.elts if not _is_ignored(each)]
            return f"[{', '.join(reversed(parts) if _is_last_of(target) else parts)}]"
        raise self.fail(target, "a loop's variable")

    def _next(self) -> int:
        self.counter += 1
        return self.counter

    def _if(self, node: ast.If) -> str:
        said = f"if ({self.test(node.test)}) {self._block(node.body)}"
        return f"{said} else {self._block(node.orelse)}" if node.orelse else said

    def _while(self, node: ast.While) -> str:
        if node.orelse:
            raise self.fail(node, "a loop with else")
        return f"while ({self.test(node.test)}) {self._block(node.body)}"

    def _for(self, node: ast.For) -> str:
        if node.orelse:
            raise self.fail(node, "a loop with else")
        items = self._items(node.target, self.say(node.iter))
        return f"for ({self._pattern(node.target)} of {items}) {self._block(node.body)}"

    def _items(self, target: ast.expr, said: str) -> str:
        """What a loop goes through, ready for the pattern of its variable."""
        return f"py.map(py.backwards, {said})" if _is_last_of(target) else f"py.iter({said})"

    def _raise(self, node: ast.Raise) -> str:
        if node.exc is None:
            return "throw e$;"
        said = self.say(node.exc)
        return f"throw py.raised({said});"

    def _delete(self, node: ast.Delete) -> str:
        said = []
        for target in node.targets:
            if not isinstance(target, ast.Subscript):
                raise self.fail(node, "a deletion")
            place = self.say(target.value)
            if isinstance(target.slice, ast.Slice):
                said.append(f"py.setslice({place}, {self._slice(target.slice)}, []);")
            else:
                said.append(f"py.remove({place}, {self.say(target.slice)});")
        return "\n".join(said)

    def _try(self, node: ast.Try) -> str:
        if node.orelse:
            raise self.fail(node, "a try with else")
        said = f"try {self._block(node.body)}"
        if node.handlers:
            caught = " else ".join([*(self._handler(handler) for handler in node.handlers), "throw e$;"])
            said += f" catch (e$) {{\n{caught}\n}}"
        return f"{said} finally {self._block(node.finalbody)}" if node.finalbody else said

    def _handler(self, node: ast.ExceptHandler) -> str:
        kinds = self._kinds(node.type) if node.type else "[py.Exception]"
        named = f"{safe(node.name)} = e$;\n" if node.name else ""
        body = "\n".join(self.statement(each) for each in node.body)
        return f"if (py.caught(e$, {kinds})) {{\n{named}{body}\n}}"

    def _with(self, node: ast.With) -> str:
        if len(node.items) != 1 or node.items[0].optional_vars:
            raise self.fail(node, "a with statement that names something")
        name = f"w${self._next()}"
        body = "\n".join(self.statement(each) for each in node.body)
        return (
            f"const {name} = py.entered({self.say(node.items[0].context_expr)});\n"
            f"try {{\n{body}\n}} catch (e$) {{\npy.failed({name}, e$);\n}} finally {{\npy.left({name});\n}}"
        )

    # Expressions

    def test(self, node: ast.expr) -> str:
        """An expression as a condition."""
        if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return self.say(node)
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return "(" + sign.join(self.test(each) for each in node.values) + ")"
        return f"py.truth({self.say(node)})"

    def say(self, node: ast.expr) -> str:
        """An expression in JavaScript."""
        said: Callable[[Any], str] | None = getattr(self, f"_say_{type(node).__name__.lower()}", None)
        if said is None:
            raise self.fail(node, type(node).__name__)
        return said(node)

    def _is_local(self, name: str) -> bool:
        return any(name in names for names in self.locals)

    def static(self, node: ast.expr) -> Any:
        """The object of this process that an expression means; `_UNKNOWN` if that is known only when it runs."""
        if isinstance(node, ast.Name) and not self._is_local(node.id):
            if node.id in self.globals:
                return self.globals[node.id]
            return getattr(builtins, node.id, _UNKNOWN)
        if isinstance(node, ast.Attribute):
            home = self.static(node.value)
            ours = isinstance(home, type) and home.__module__ != "builtins" and hasattr(home, node.attr)
            if isinstance(home, types.ModuleType) or ours:
                return getattr(home, node.attr)
        return _UNKNOWN

    def _say_constant(self, node: ast.Constant) -> str:
        if isinstance(node.value, bytes):
            return f"py.unhex({node.value.hex()!r})"
        return literal(node.value)

    def _say_name(self, node: ast.Name) -> str:
        found = self.static(node)
        if found is _UNKNOWN:
            return safe(node.id)
        if getattr(builtins, node.id, _UNKNOWN) is found:
            return f"py.{safe(node.id)}"
        return self.translator.reference(found, node.id)

    def _say_attribute(self, node: ast.Attribute) -> str:
        found = self.static(node)
        if found is not _UNKNOWN and not inspect.ismethod(found):
            return self.translator.reference(found, node.attr)
        self.translator._want([node.attr])
        if node.attr in _methods():  # perhaps a method that is called later
            return f"py.bound({self.say(node.value)}, {json.dumps(node.attr)})"
        return f"{self.say(node.value)}.{node.attr}"

    def _say_subscript(self, node: ast.Subscript) -> str:
        if isinstance(node.slice, ast.Slice):
            return f"py.slice({self.say(node.value)}, {self._slice(node.slice)})"
        return f"py.get({self.say(node.value)}, {self.say(node.slice)})"

    def _slice(self, node: ast.Slice) -> str:
        return ", ".join(self.say(part) if part else "null" for part in (node.lower, node.upper, node.step))

    def _say_tuple(self, node: ast.Tuple | ast.List) -> str:
        return f"[{', '.join(self.say(each) for each in node.elts)}]"

    _say_list = _say_tuple

    def _say_set(self, node: ast.Set) -> str:
        return f"new Set([{', '.join(self.say(each) for each in node.elts)}])"

    def _say_dict(self, node: ast.Dict) -> str:
        items = [
            f"...py.iter(py.call({self.say(value)}, 'items'))"
            if key is None
            else f"[{self.say(key)}, {self.say(value)}]"
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return f"new Map([{', '.join(items)}])"

    def _say_starred(self, node: ast.Starred) -> str:
        return f"...py.iter({self.say(node.value)})"

    def _say_binop(self, node: ast.BinOp) -> str:
        helper = BINARY.get(type(node.op))
        if helper is None:
            raise self.fail(node, "an operator")
        return f"py.{helper}({self.say(node.left)}, {self.say(node.right)})"

    def _say_unaryop(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return (
                f"!{self.test(node.operand)}"
                if not isinstance(node.operand, ast.Compare)
                else (f"!({self.test(node.operand)})")
            )
        if isinstance(node.op, ast.USub):
            return f"py.neg({self.say(node.operand)})"
        if isinstance(node.op, ast.Invert):
            return f"py.invert({self.say(node.operand)})"
        return self.say(node.operand)

    def _say_boolop(self, node: ast.BoolOp) -> str:
        *firsts, last = node.values
        helper = "all_of" if isinstance(node.op, ast.And) else "any_of"
        said = self.say(last)
        for each in reversed(firsts):
            said = f"py.{helper}({self.say(each)}, () => {said})"
        return said

    def _say_compare(self, node: ast.Compare) -> str:
        said = [self.say(side) for side in (node.left, *node.comparators)]
        if len(node.ops) == 1:
            return self._compared(node, node.ops[0], said[0], said[1])
        names = [f"c${at}" for at in range(len(said))]
        parts = [self._compared(node, each, names[at], names[at + 1]) for at, each in enumerate(node.ops)]
        return f"(({', '.join(names)}) => {' && '.join(parts)})({', '.join(said)})"

    def _compared(self, node: ast.AST, operator: ast.cmpop, left: str, right: str) -> str:
        if type(operator) in ORDER:
            return f"(py.compare({left}, {right}) {ORDER[type(operator)]} 0)"
        said = {
            ast.Eq: f"py.eq({left}, {right})",
            ast.NotEq: f"!py.eq({left}, {right})",
            ast.In: f"py.contains({right}, {left})",
            ast.NotIn: f"!py.contains({right}, {left})",
            ast.Is: f"py.is({left}, {right})",
            ast.IsNot: f"!py.is({left}, {right})",
        }.get(type(operator))
        if said is None:
            raise self.fail(node, "a comparison")
        return said

    def _say_ifexp(self, node: ast.IfExp) -> str:
        return f"({self.test(node.test)} ? {self.say(node.body)} : {self.say(node.orelse)})"

    def _say_namedexpr(self, node: ast.NamedExpr) -> str:
        return f"({safe(node.target.id)} = {self.say(node.value)})"

    def _say_yield(self, node: ast.Yield) -> str:
        return f"(yield {self.say(node.value) if node.value else 'null'})"

    def _say_yieldfrom(self, node: ast.YieldFrom) -> str:
        return f"(yield* py.iter({self.say(node.value)}))"

    def _say_lambda(self, node: ast.Lambda) -> str:
        arguments = [argument.arg for argument in node.args.args]
        return f"({self._definition(node, '', arguments, self._said_defaults(node), None, True)})"

    def _say_joinedstr(self, node: ast.JoinedStr) -> str:
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(json.dumps(part.value))
                continue
            assert isinstance(part, ast.FormattedValue)
            if part.format_spec is not None:
                raise self.fail(node, "a format")
            parts.append(f"py.{'repr' if part.conversion == ord('r') else 'str'}({self.say(part.value)})")
        return "(" + " + ".join(['""', *parts]) + ")"

    def _loops(self, generators: list[ast.comprehension], inner: Callable[[], str]) -> str:
        names = {name for each in generators for name in _assigned([ast.Assign([each.target], ast.Constant(0))])}
        first = self.say(generators[0].iter)
        self.locals.append(names)
        said = ""
        for at, each in enumerate(generators):
            source = "first$" if at == 0 else self.say(each.iter)
            said += f"for (const {self._pattern(each.target)} of {self._items(each.target, source)}) "
            said += "".join(f"if ({self.test(test)}) " for test in each.ifs)
        said += inner()
        self.locals.pop()
        return f"(function* (first$) {{ {said} }})({first})"

    def _say_listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> str:
        return f"[...{self._say_generatorexp(node)}]"

    def _say_setcomp(self, node: ast.SetComp) -> str:
        return f"new Set({self._say_generatorexp(node)})"

    def _say_generatorexp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> str:
        return self._loops(node.generators, lambda: f"yield {self.say(node.elt)};")

    def _say_dictcomp(self, node: ast.DictComp) -> str:
        loops = self._loops(node.generators, lambda: f"yield [{self.say(node.key)}, {self.say(node.value)}];")
        return f"new Map({loops})"

    # Calls

    def _say_call(self, node: ast.Call) -> str:
        meant = self.static(node.func)
        if meant is isinstance:
            return f"py.isinstance({self.say(node.args[0])}, {self._kinds(node.args[1])})"
        if meant is super:
            raise self.fail(node, "super outside a call")
        if isinstance(node.func, ast.Attribute) and self.static(node.func) is _UNKNOWN:
            return self._method(node, node.func)
        if isinstance(node.func, ast.Name) and node.func.id == self.own_class:
            home = _owner(self.function_)
            assert home
            return f"new {safe(node.func.id)}({', '.join(self._arguments(node, _constructor(home)))})"
        if meant is _UNKNOWN and node.keywords:
            error = self.fail(node, "a call by keywords of a function that is known only when it runs")
            self.translator.absent[ast.unparse(node)] = str(error)
            return f"py.absent({json.dumps(ast.unparse(node))})"
        if meant is _UNKNOWN:
            return f"py.called({', '.join([self.say(node.func), *self._arguments(node, None)])})"
        return self._known(node, meant)

    def _known(self, node: ast.Call, meant: Any) -> str:
        native = (
            id(meant) in self.translator._native or getattr(builtins, getattr(meant, "__name__", ""), None) is meant
        )
        if inspect.ismethod(meant) and not native:  # a class method
            self.translator._want([meant.__name__])
            home = self.translator.reference(meant.__self__)
            return f"{home}.{meant.__name__}({', '.join(self._arguments(node, inspect.signature(meant)))})"
        said = self.say(node.func)
        if isinstance(meant, type) and not native:
            return f"new {said}({', '.join(self._arguments(node, _constructor(meant)))})"
        signature = None if native else inspect.signature(plain(self.translator.instead(meant)))
        made = "new " if isinstance(meant, type) and said[:3] == "py." and said[3:4].isupper() else ""
        return f"{made}{said}({', '.join(self._arguments(node, signature))})"

    def _method(self, node: ast.Call, function: ast.Attribute) -> str:
        name = function.attr
        if isinstance(function.value, ast.Call) and self.static(function.value.func) is super:
            self.translator._want([name])
            own = ", ".join(["self", *self._arguments(node, None)])
            home = self.translator.reference(_owner(self.function_))
            return f"Object.getPrototypeOf({home}.prototype).{name}.call({own})"
        self.translator._want([name])
        signature = _method_signature(name, [word.arg for word in node.keywords]) if node.keywords else None
        given = [self.say(function.value), json.dumps(name), *self._arguments(node, signature)]
        return f"py.call({', '.join(given)})"

    def _arguments(self, node: ast.Call, signature: inspect.Signature | None) -> list[str]:
        given = [self.say(each) for each in node.args]
        if not node.keywords:
            return given
        if len(node.keywords) == 1 and node.keywords[0].arg is None:
            return [*given, self._spread(node.keywords[0].value, len(given), signature)]
        if any(word.arg is None for word in node.keywords):
            raise self.fail(node, "a call with keywords from a dictionary and others")
        words = {word.arg: self.say(word.value) for word in node.keywords}
        if signature is None:
            return [*given, "{ " + ", ".join(f"{name}: {said}" for name, said in words.items()) + " }"]
        names = list(signature.parameters)
        if not set(words) <= set(names):
            raise self.fail(node, "a call with these keywords")
        for name in names[len(given) :]:
            given.append(words.pop(name, "undefined"))
            if not words:
                break
        return given

    def _spread(self, node: ast.expr, given: int, signature: inspect.Signature | None) -> str:
        """Keywords from a dictionary: in the order of the arguments, or as they are if any may be given."""
        parameters = list(signature.parameters.values())[given:] if signature else []
        if not parameters or parameters[-1].kind == inspect.Parameter.VAR_KEYWORD:
            return self.say(node)
        return f"...py.spread({json.dumps([parameter.name for parameter in parameters])}, {self.say(node)})"

    def _kinds(self, node: ast.expr) -> str:
        """The types of `isinstance` or `except`."""
        if any(isinstance(each, ast.Name) and self._is_local(each.id) for each in ast.walk(node)):
            return f"[{self.say(node)}]"
        kinds = eval(compile(ast.Expression(node), "<types>", "eval"), self.globals)
        return f"[{', '.join(self._kind(kind) for kind in _flat(kinds))}]"

    def _kind(self, kind: Any) -> str:
        if kind is None or kind is type(None):
            return '"none"'
        if kind in TYPES:
            return f'"{TYPES[kind]}"'
        name = getattr(kind, "__name__", "")
        if getattr(builtins, name, None) is kind:
            return f"py.{name}"
        return self.translator.reference(kind)


_UNKNOWN = object()


def _flat(kinds: Any) -> Iterator[Any]:
    if isinstance(kinds, tuple):
        for kind in kinds:
            yield from _flat(kind)
    elif isinstance(kinds, types.UnionType) or typing.get_origin(kinds) is typing.Union:
        yield from typing.get_args(kinds)
    else:
        yield kinds


def _is_ignored(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred) and isinstance(node.value, ast.Name) and node.value.id == "_"


def _is_last_of(target: ast.expr) -> bool:
    """Is it `*_, last`, or more of the last ones? JavaScript takes those from the end."""
    return isinstance(target, ast.Tuple | ast.List) and _is_ignored(target.elts[0])


def _loaded(node: Any) -> Any:
    """A target as an expression."""
    fields = {name: value for name, value in ast.iter_fields(node) if name != "ctx"}
    return type(node)(**fields, ctx=ast.Load())


def _walk(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All of a function but the functions in it."""
    due: deque[ast.AST] = deque(body)
    while due:
        node = due.popleft()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            due.extend(ast.iter_child_nodes(node))


def _assigned(body: list[Any]) -> set[str]:
    """The names that a function gives values to; those of comprehensions are their own."""
    inside: set[int] = set()
    found = set()
    for node in _walk(body):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            inside |= {id(each) for part in node.generators for each in ast.walk(part.target)}
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in inside:
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def _declared(body: list[ast.stmt]) -> set[str]:
    return {name for node in _walk(body) if isinstance(node, ast.Nonlocal) for name in node.names}


def _yields(body: list[ast.stmt]) -> bool:
    inside: set[int] = set()
    for node in _walk(body):
        if isinstance(node, ast.GeneratorExp):
            inside |= {id(each) for each in ast.walk(node)}
    return any(isinstance(node, ast.Yield | ast.YieldFrom) and id(node) not in inside for node in _walk(body))


def _constructor(kind: type) -> inspect.Signature:
    fields = _fields(kind)
    if fields is None:
        signature = inspect.signature(kind.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])
    some = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(name, some) for name in fields])


@functools.cache
def _methods() -> set[str]:
    """The names of all methods of our classes."""
    return {name for kind in _ours() for name, own in vars(kind).items() if isinstance(own, types.FunctionType)}


def _method_signature(name: str, words: list[str | None]) -> inspect.Signature | None:
    """The signature of the methods of that name in our classes, if any takes these keywords; None for Python's own."""
    found = []
    for kind in _ours():
        if isinstance(vars(kind).get(name), types.FunctionType):
            signature = inspect.signature(vars(kind)[name])
            if set(words) <= set(signature.parameters):
                found.append(signature.replace(parameters=list(signature.parameters.values())[1:]))
    if len({tuple(signature.parameters) for signature in found}) > 1:
        raise Untranslatable(f"Methods {name!r} take their arguments in different orders.")
    return found[0] if found else None


def _ours() -> Iterator[type]:
    """All our classes that are imported."""
    due: list[type] = [object]
    while due:
        found: list[type] = type.__subclasses__(due.pop())
        due += found
        yield from (kind for kind in found if str(kind.__module__).startswith("archipel"))
