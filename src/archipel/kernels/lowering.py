"""Turn LLVM IR into machine code: one module per game, optimised as a whole for its target.

Every rule is compiled once and remains a function if it is large. Kernels for which a game's rules ask for it are
compiled apart, with all rules inlined. Only the kernels can be called from outside, with a plain signature of pointers,
sizes and numbers. The external symbols that the code may use are listed here: any other, above all a call into Python,
fails the build.
"""

import re
from collections.abc import Iterable, Iterator

import llvmlite.binding as llvm

from archipel.core.compiled import Array, Group, Kind

from .capture import Captured
from .targets import Target, Variant

RUNTIME = """
%meminfo = type { i64, ptr, ptr, ptr, i64, ptr }
declare ptr @archipel_allocate(i64)
declare void @archipel_release(ptr)
declare double @llvm.sqrt.f64(double)

define linkonce_odr double @sqrt(double %x) alwaysinline {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}

define linkonce_odr noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %total = add i64 %size, 128
  %info = call ptr @archipel_allocate(i64 %total)
  store i64 1, ptr %info
  %start = ptrtoint ptr %info to i64
  %beyond = add i64 %start, 127
  %aligned = and i64 %beyond, -64
  %data = inttoptr i64 %aligned to ptr
  %place = getelementptr %meminfo, ptr %info, i32 0, i32 3
  store ptr %data, ptr %place
  ret ptr %info
}

define linkonce_odr ptr @NRT_MemInfo_data_fast(ptr %info) alwaysinline {
  %place = getelementptr %meminfo, ptr %info, i32 0, i32 3
  %data = load ptr, ptr %place
  ret ptr %data
}

define linkonce_odr void @NRT_incref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %end, label %count
count:
  %before = load i64, ptr %info
  %after = add i64 %before, 1
  store i64 %after, ptr %info
  br label %end
end:
  ret void
}

define linkonce_odr void @NRT_decref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %end, label %count
count:
  %before = load i64, ptr %info
  %after = sub i64 %before, 1
  store i64 %after, ptr %info
  %last = icmp eq i64 %after, 0
  br i1 %last, label %free, label %end
free:
  call void @archipel_release(ptr %info)
  br label %end
end:
  ret void
}
"""
"""Replacements for Numba's runtime, for arrays that a kernel allocates. No other thread ever sees these."""

OURS = frozenset({"archipel_allocate", "archipel_release"})
_HARMLESS = (
    "abs", "aarch64", "assume", "bitreverse", "bswap", "ceil", "copysign", "ctlz", "ctpop", "cttz", "expect",
    "experimental", "fabs", "floor", "fshl", "fshr", "invariant", "is", "lifetime", "load", "masked", "maximum",
    "maxnum", "memcpy", "memmove", "memset", "minimum", "minnum", "noalias", "prefetch", "sadd", "scmp",
    "sideeffect", "smax", "smin", "smul", "sqrt", "ssub", "stepvector", "trap", "trunc", "type", "uadd", "ucmp",
    "umax", "umin", "umul", "usub", "vector", "vscale", "wasm", "x86",
)  # fmt: skip
INTRINSICS = re.compile(rf"llvm\.({'|'.join(_HARMLESS)})\b")
"""LLVM intrinsics that become instructions or memory copies: unlike `llvm.exp`, they never call a maths library."""


class Unsound(Exception):
    """The code relies on something that a kernel must not use."""


def start() -> None:
    """Initialise all of LLVM's targets."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


def emit(texts: list[str], kernels: list[Captured], target: Target, variant: Variant) -> bytes:
    """Return an object file with a game's kernels."""
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=variant.cpu, features=variant.features, opt=3, reloc="static" if target.wasm else "pic", codemodel="default"
    )
    kernels = [kernel for kernel in kernels if not (target.wasm and kernel.wide)]
    apart = [kernel for kernel in kernels if _is_inlined(kernel, target)]
    shared = [kernel for kernel in kernels if kernel not in apart]
    module = _optimised(_linked(map(_with_functions, texts), target, machine), shared, target, variant, machine)
    if apart:
        needed = [texts[n] for n in sorted({n for kernel in apart for n in kernel.needs})]
        # Rules that are optimised before they are inlined make faster code than one huge function of raw ones.
        inlined = _linked(map(_portable, needed), target, machine, first_optimised=True)
        module.link_in(_optimised(inlined, apart, target, variant, machine))
    _check(module)
    code: bytes = machine.emit_object(module)
    return code


def _is_inlined(kernel: Captured, target: Target) -> bool:
    """True if all rules are inlined into the kernel for this target."""
    return kernel.inlined_wasm if target.wasm else kernel.inlined


def _optimised(
    module: llvm.ModuleRef, kernels: list[Captured], target: Target, variant: Variant, machine: llvm.TargetMachine
) -> llvm.ModuleRef:
    """Add the kernels' external functions and the runtime to a module, drop the rest, and optimise it as a whole."""
    for kernel in kernels:
        inner = module.get_function(kernel.inner)
        text = wrapper(kernel, [str(argument.type) for argument in inner.arguments], target.wasm, _mark(variant))
        module.link_in(_parsed(text, target, machine))
    _hide_all_but(module, {kernel.symbol + _mark(variant) for kernel in kernels})
    _optimise(module, machine, 1)  # enough to prune reference counting while it is still recognisable
    module.link_in(_parsed(RUNTIME, target, machine))
    _hide_all_but(module, {kernel.symbol + _mark(variant) for kernel in kernels})
    _optimise(module, machine, 3)
    return module


def _mark(variant: Variant) -> str:
    return f"_{variant.name}"


def _linked(
    texts: Iterable[str], target: Target, machine: llvm.TargetMachine, first_optimised: bool = False
) -> llvm.ModuleRef:
    """Link texts into one module; `first_optimised`: each of them is optimised by itself before."""
    modules = [_parsed(text, target, machine) for text in texts]
    if first_optimised:
        for module in modules:
            _optimise(module, machine, 3)
    first, *rest = modules
    for module in rest:
        first.link_in(module)
    return first


def _portable(text: str) -> str:
    """Numba's IR for any target: nothing is shared with other libraries."""
    return text.replace(" common global ", " internal global ")


def _with_functions(text: str) -> str:
    """Portable IR in which large rules remain functions."""
    return _portable(text).replace("alwaysinline", "inlinehint")


def _parsed(text: str, target: Target, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    text = "\n".join(line for line in text.splitlines() if not line.startswith("target "))
    layout = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    module = llvm.parse_assembly(layout + text)
    module.verify()
    return module


def _hide_all_but(module: llvm.ModuleRef, names: set[str]) -> None:
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in names else "internal"


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, level: int) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    # A loop that is unrolled early cannot be vectorised later.
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = level > 1
    builder = llvm.create_pass_builder(machine, options)
    manager = builder.getModulePassManager()
    manager.add_refprune_pass()
    manager.run(module, builder)


def _check(module: llvm.ModuleRef) -> None:
    """Unsound if the code needs anything but our allocator and what every processor and C compiler provides."""
    missing = [f.name for f in module.functions if f.is_declaration]
    odd = sorted(name for name in missing if name not in OURS and not INTRINSICS.match(name))
    odd += sorted(g.name for g in module.global_variables if g.name.startswith("numba.dynamic"))
    if odd:
        raise Unsound(f"Kernels must not need {', '.join(odd)}.")


# The external signature


def wrapper(kernel: Captured, expected: list[str], wasm: bool, mark: str) -> str:
    """A function that converts our arguments into Numba's and calls the kernel.

    Natively it takes the address of the results, then every number, and every array as address and sizes; it returns
    the status. In WebAssembly numbers are doubles, as in JavaScript, and sizes have 32 bits; a single result is
    returned.
    """
    made = _Wrapper(wasm)
    for kind in kernel.signature.arguments:
        made.take(kind)
    given = ["ptr %room", "ptr %exc", *made.given]
    if [argument.split()[0] for argument in given] != expected:
        raise Unsound(f"{kernel.kernel} takes {expected}, not {given}.")
    types = ", ".join(argument.split()[0] for argument in given)
    head = [f'declare i32 @"{kernel.inner}"({types})', "declare void @llvm.trap()" if wasm else ""]
    room = ["  %exc = alloca ptr", f"  %room = alloca {{ {', '.join(map(_stored, kernel.returns)) or 'ptr'} }}"]
    call = f'  %status = call i32 @"{kernel.inner}"({", ".join(given)})'
    out = ["ptr %ret"] if not wasm or len(kernel.returns) > 1 else []
    signature = f"define {'double' if wasm else 'i32'} @{kernel.symbol}{mark}({', '.join(out + made.taken)}) {{"
    answer = _answer_wasm(kernel) if wasm else _answer_native(kernel)
    return "\n".join([*head, signature, *room, *made.lines, call, *answer, "}"])


def _stored(kind: str) -> str:
    """The LLVM type of a result in memory."""
    return "i8" if kind == "bool" else kind.replace("u", "i") if kind[0] == "u" else kind


class _Wrapper:
    """The arguments received, the arguments passed on, and the code that converts them."""

    def __init__(self, wasm: bool) -> None:
        self.wasm = wasm
        self.taken: list[str] = []
        self.given: list[str] = []
        self.lines: list[str] = []

    def _next(self) -> str:
        return f"%a{len(self.taken)}"

    def take(self, kind: Kind) -> None:
        if isinstance(kind, Group):
            for part in kind.parts:
                self.take(part)
        elif isinstance(kind, Array):
            self._array(kind)
        else:
            self._number(kind)

    def _number(self, kind: type) -> None:
        name = self._next()
        if kind is float:
            self.taken.append(f"double {name}")
            self.given.append(f"double {name}")
            return
        width = "i64" if kind is int else "i8"
        if self.wasm:
            self.taken.append(f"double {name}")
            self.lines.append(f"  {name}w = fptosi double {name} to {width}")
            self.given.append(f"{width} {name}w")
        else:
            self.taken.append(f"{width} {name}")
            self.given.append(f"{width} {name}")

    def _array(self, kind: Array) -> None:
        data = self._next()
        self.taken.append(f"ptr {data}")
        sizes = []
        for _ in range(kind.dimensions):
            size = self._next()
            if self.wasm:
                self.taken.append(f"i32 {size}")
                self.lines.append(f"  {size}w = zext i32 {size} to i64")
                size = f"{size}w"
            else:
                self.taken.append(f"i64 {size}")
            sizes.append(size)
        item = kind.of.itemsize
        strides: list[str] = []
        items = str(item)
        for number, size in enumerate(reversed(sizes)):
            strides.insert(0, items)
            self.lines.append(f"  {data}s{number} = mul i64 {items}, {size}")
            items = f"{data}s{number}"
        self.lines.append(f"  {data}n = udiv i64 {items}, {item}")
        whole = [f"i64 {data}n", f"i64 {item}", f"ptr {data}", *(f"i64 {s}" for s in (*sizes, *strides))]
        self.given += ["ptr null", "ptr null", *whole]


def _results(kernel: Captured, real: bool) -> Iterator[str]:
    """Read the results from `%room` as `%v0`, `%v1`, ...: with 64 bits, or as doubles if `real`."""
    room = f"{{ {', '.join(map(_stored, kernel.returns)) or 'ptr'} }}"
    for number, kind in enumerate(kernel.returns):
        stored, name = _stored(kind), f"%v{number}"
        yield f"  %p{number} = getelementptr {room}, ptr %room, i32 0, i32 {number}"
        yield f"  %r{number} = load {stored}, ptr %p{number}"
        if kind in ("float", "double"):
            yield f"  {name} = {'fpext float' if kind == 'float' else 'fadd double -0.0,'} %r{number}" + (
                " to double" if kind == "float" else ""
            )
        elif real:
            yield f"  {name} = {'sitofp' if kind[0] == 'i' else 'uitofp'} {stored} %r{number} to double"
        elif stored == "i64":
            yield f"  {name} = add i64 %r{number}, 0"
        else:
            yield f"  {name} = {'sext' if kind[0] == 'i' else 'zext'} {stored} %r{number} to i64"


def _answer_native(kernel: Captured) -> Iterator[str]:
    """Write the results with 64 bits each; return the status."""
    yield "  %well = icmp eq i32 %status, 0"
    yield "  br i1 %well, label %good, label %bad"
    yield "good:"
    yield from _results(kernel, real=False)
    for number, kind in enumerate(kernel.returns):
        yield f"  %o{number} = getelementptr i64, ptr %ret, i32 {number}"
        yield f"  store {'double' if kind in ('float', 'double') else 'i64'} %v{number}, ptr %o{number}"
    yield "  br label %bad"
    yield "bad:"
    yield "  ret i32 %status"


def _answer_wasm(kernel: Captured) -> Iterator[str]:
    """Trap if the kernel failed; return the result, or write the results to `%ret`, as doubles."""
    yield "  %well = icmp eq i32 %status, 0"
    yield "  br i1 %well, label %good, label %bad"
    yield "bad:"
    yield "  call void @llvm.trap()"
    yield "  unreachable"
    yield "good:"
    yield from _results(kernel, real=True)
    if len(kernel.returns) == 1:
        yield "  ret double %v0"
        return
    for number in range(len(kernel.returns)):
        yield f"  %o{number} = getelementptr double, ptr %ret, i32 {number}"
        yield f"  store double %v{number}, ptr %o{number}"
    yield "  ret double 0.0"
