"""The build of native libraries: what it refuses, what it writes, and when it has nothing to do."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

llvm = pytest.importorskip("llvmlite.binding")

import archipel  # noqa: E402
from archipel.bots.warming import instances  # noqa: E402
from archipel.core import compiled, native, sources  # noqa: E402
from archipel.core.compiled import Array, Signature  # noqa: E402
from archipel.kernels import binding, build, lowering, targets, typescript  # noqa: E402
from archipel.kernels.capture import Captured, check_versions  # noqa: E402

from . import libraries  # noqa: E402

TWICE = """
define i32 @inner(ptr %ret, ptr %exc, ptr %m, ptr %p, i64 %n, i64 %size, ptr %data, i64 %shape, i64 %stride, i64 %by) {
  %first = load i64, ptr %data
  %made = mul i64 %first, %by
  %small = trunc i64 %made to i8
  store i8 %small, ptr %ret
  ret i32 0
}
"""
INNER = ["ptr", "ptr", "ptr", "ptr", "i64", "i64", "ptr", "i64", "i64", "i64"]


def captured(result: str = "i8") -> Captured:
    signature = Signature(("numbers", "by"), (Array(np.dtype("i8")), int), (int,))
    return Captured("twice", "archipel_twice", signature, "inner", False, (result,))


@pytest.fixture(autouse=True, scope="module")
def started() -> None:
    lowering.start()


@pytest.mark.parametrize("missing", ["Py_DecRef", "llvm.exp.f64", "tanhf", "NRT_Free"])
def test_code_that_needs_something_else_is_refused(missing: str) -> None:
    module = llvm.parse_assembly(f"declare double @{missing}(double)\ndeclare ptr @archipel_allocate(i64)")
    with pytest.raises(lowering.Unsound, match=f"Kernels must not need {missing}"):
        lowering._check(module)


def test_code_that_needs_memory_and_instructions_is_sound() -> None:
    lowering._check(llvm.parse_assembly("declare i64 @llvm.ctpop.i64(i64)\ndeclare void @archipel_release(ptr)"))


def test_a_kernel_with_other_arguments_than_its_signature_is_refused() -> None:
    with pytest.raises(lowering.Unsound, match="twice takes"):
        lowering.wrapper(captured(), [*INNER, "double"], wasm=False, mark="_plain")


@pytest.mark.parametrize("inlined", [False, True])
@pytest.mark.parametrize("name", targets.TARGETS)
def test_a_kernel_can_be_emitted_for_every_target(name: str, inlined: bool) -> None:
    target = targets.TARGETS[name]
    kernel = captured()._replace(inlined=inlined, inlined_wasm=inlined, needs=(0,))
    for variant in target.variants:
        code = lowering.emit([TWICE], [kernel], target, variant)
        assert f"archipel_twice_{variant.name}".encode() in code
        assert code == lowering.emit([TWICE], [kernel], target, variant)


CHAIN = "\n".join(
    ["@table = common global i64 0", "define internal i64 @rule0(i64 %n) alwaysinline {", "  ret i64 %n", "}"]
    + [
        f"define internal i64 @rule{k}(i64 %n) alwaysinline {{\n  %a = call i64 @rule{k - 1}(i64 %n)\n"
        f"  %b = call i64 @rule{k - 1}(i64 %a)\n  %old = load volatile i64, ptr @table\n"
        f"  store volatile i64 %b, ptr @table\n  %c = mul i64 %b, %old\n  ret i64 %c\n}}"
        for k in range(1, 8)
    ]
)
"""Rules that call each other, each twice the size of the one before."""


def test_rules_are_inlined_into_the_kernels_that_ask_for_it() -> None:
    """A kernel beside which none is shared holds every copy of its rules; otherwise the large ones remain functions."""
    target = targets.TARGETS["linux-x86_64"]
    text = CHAIN + TWICE.replace("%made = mul i64 %first, %by", "%made = call i64 @rule7(i64 %first)")
    apart = captured()._replace(inlined=True, needs=(0,))
    shared, inlined = (lowering.emit([text], [kernel], target, target.variants[0]) for kernel in (captured(), apart))
    assert 2 * len(inlined) > 3 * len(shared)


def test_the_rules_ask_for_kernels_that_exist() -> None:
    for game in map(archipel.game, archipel.GAMES):
        known = {instance.kernel.name for instance in instances(game)}
        assert {*game.rules.inlined, *game.rules.inlined_wasm} <= known


FORMATS = {"linux": libraries.ELF, "darwin": libraries.MACH_O, "win32": libraries.PE}


@pytest.mark.parametrize("name", [name for name, target in targets.TARGETS.items() if not target.wasm])
def test_a_library_can_be_linked_for_every_platform(name: str) -> None:
    """From any platform; what comes of it is read as that platform would read it, and is the same twice."""
    target = targets.TARGETS[name]
    kernel = compiled.Kernel("twice", len, None, captured().signature, brief=True, wide=False, call=len)
    objects = {(name, each.name): lowering.emit([TWICE], [captured()], target, each) for each in target.variants}
    game = build.Compiled("tiny", [captured()], objects)
    made = build.linked(target, [kernel], game)
    system, machine = name.split("-")
    found = libraries.read(made)
    assert (found.format, found.machine) == (FORMATS[system], machine)
    assert "PyInit__tiny" in found.exported
    assert {each for each in found.imported if each.startswith("Py")} <= set(binding.IMPORTS)
    assert found.signed or name != "darwin-aarch64"
    assert build.linked(target, [kernel], game) == made


def tiny(folder: Path) -> native.Library | None:
    """A library of one kernel for this machine, built, written and found."""
    target = targets.this_machine()
    kernel = compiled.Kernel("twice", len, None, captured().signature, brief=True, wide=False, call=len)
    objects = {(target.name, each.name): lowering.emit([TWICE], [captured()], target, each) for each in target.variants}
    made = build.linked(target, [kernel], build.Compiled("tiny", [captured()], objects))
    build.write("tiny", folder, target, {f"_tiny{target.suffix}": made}, modules=[], types=["<i8"])
    return native.find("tiny", sources.of_game(sources.ours(), "tiny"), folder)


def test_a_library_is_called_and_what_it_lacks_is_called_otherwise(tmp_path: Path) -> None:
    library = tiny(tmp_path)
    assert library
    assert library.kernel("twice", len)(np.array([7]), 3) == 21
    assert library.kernel("thrice", len) is len


def test_a_library_for_a_newer_processor_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "skipped", lambda target: 9)  # as if this processor could do no more than the first
    with pytest.warns(RuntimeWarning, match=r"tiny in .* is not used: the processor lacks instructions\."):
        assert tiny(tmp_path) is None


def test_other_versions_of_numba_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    check_versions()
    monkeypatch.setattr("numba.__version__", "1.0.0")
    with pytest.raises(RuntimeError, match=r"Kernels are built with numba 0\.68, not 1\.0\.0\."):
        check_versions()


def test_a_narrow_result_is_widened_with_its_sign() -> None:
    assert "sext i8 %r0 to i64" in lowering.wrapper(captured("i8"), INNER, wasm=False, mark="_plain")
    assert "zext i16 %r0 to i64" in lowering.wrapper(captured("u16"), INNER, wasm=False, mark="_plain")
    assert "uitofp i8 %r0 to double" in lowering.wrapper(captured("bool"), INNER, wasm=True, mark="_plain")


def test_the_binding_asks_windows_for_all_that_it_uses() -> None:
    header = (build.HERE / "binding.h").read_text("utf-8")
    declared = {
        word.strip("*(,;")
        for word in header.replace("(", " ").split()
        if "_" in word and word.strip("*").startswith("Py")
    }
    assert declared == set(binding.IMPORTS)


def test_what_was_built_is_current_until_something_changes(tmp_path: Path) -> None:
    target = targets.TARGETS["linux-x86_64"]
    assert not build.is_current("kahuna", tmp_path, target)
    build.write("kahuna", tmp_path, target, {"a.so": b"code"})
    assert build.is_current("kahuna", tmp_path, target)
    assert not build.is_current("krakatoa", tmp_path, target)
    assert not build.is_current("kahuna", tmp_path, targets.TARGETS["linux-aarch64"])
    (tmp_path / "a.so").write_bytes(b"other code")
    assert not build.is_current("kahuna", tmp_path, target)
    (tmp_path / "kahuna.json").write_text("{}")
    assert not build.is_current("kahuna", tmp_path, target)


def test_a_target_that_does_not_exist_is_refused_in_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "archipel.kernels", "amiga", "--into", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "There is no target amiga; the targets are linux-x86_64," in done.stderr


def test_the_typescript_signatures_are_current() -> None:
    assert typescript.FILE.read_text("utf-8") == typescript.text()


@pytest.mark.needs(len(compiled.LIBRARIES) == 4, "libraries of these sources: make kernels")
def test_with_a_library_numba_is_never_imported() -> None:
    code = """
import sys, archipel, numpy as np
from archipel.bots import bot
for name in archipel.GAMES:
    state, rng = archipel.game(name).new(), np.random.default_rng(1)
    while state.mover < 0:
        state = state.after(state.sample(rng))
    bot("expert").choose(state.view(state.mover), rng)
print(sorted({"numba", "llvmlite"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
