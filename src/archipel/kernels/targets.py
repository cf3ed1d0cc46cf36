"""The machines that kernels are built for."""

from typing import NamedTuple

from archipel.core import native


class Variant(NamedTuple):
    """One set of processor instructions to compile for."""

    name: str
    cpu: str
    features: str = ""


class Target(NamedTuple):
    """A platform: its names here, in LLVM and in Zig; the tag of its wheels; the instruction sets of its processors."""

    name: str
    triple: str
    zig: str
    wheel: str
    variants: tuple[Variant, ...]
    """The most basic one first; a library runs the last one that the processor supports."""
    suffix: str = ".abi3.so"

    @property
    def wasm(self) -> bool:
        return self.triple.startswith("wasm")


_INTEL = (Variant("plain", "x86-64-v2"), Variant("wide", "x86-64-v3"))
_ARM = (Variant("plain", "generic", "+neon"),)

TARGETS = {
    target.name: target
    for target in (
        Target("linux-x86_64", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.28", "manylinux_2_28_x86_64", _INTEL),
        Target("linux-aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.28", "manylinux_2_28_aarch64", _ARM),
        Target("darwin-x86_64", "x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", "macosx_11_0_x86_64", _INTEL),
        Target("darwin-aarch64", "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", "macosx_11_0_arm64", _ARM),
        Target("win32-x86_64", "x86_64-pc-windows-gnu", "x86_64-windows-gnu", "win_amd64", _INTEL, ".pyd"),
        Target(
            "wasm32", "wasm32-unknown-unknown", "wasm32-freestanding", "",
            (
                Variant("plain", "generic", "+bulk-memory,+sign-ext,+nontrapping-fptoint"),
                Variant("simd", "generic", "+bulk-memory,+sign-ext,+nontrapping-fptoint,+simd128"),
            ),
            ".wasm",
        ),
    )
}  # fmt: skip


def named(name: str) -> Target:
    """The target with that name; ValueError if there is none."""
    if name not in TARGETS:
        raise ValueError(f"There is no target {name}; the targets are {', '.join(TARGETS)}.")
    return TARGETS[name]


def this_platform() -> Target:
    """The target for machines like the one that runs this; ValueError if there is none."""
    return named(native.here())


def this_machine() -> Target:
    """The target for this machine alone, with the one variant that is best for its processor."""
    from llvmlite import binding

    target, has = this_platform(), binding.get_host_cpu_features()
    wide = all(has.get(feature) for feature in ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"))
    return target._replace(variants=target.variants[-1:] if wide else target.variants[:1])


def skipped(target: Target) -> int:
    """How many more basic variants than the target's there are on its platform."""
    return TARGETS[target.name].variants.index(target.variants[0])
