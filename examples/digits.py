"""Handwritten digits on the device: PCA by orthogonal iteration, then k-means, held against NumPy.

The mathematics is plain array-API code: it takes a namespace `xp` and runs on NumPy unchanged. What the
device did, and how far its results are from NumPy's, is printed at the end.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from sklearn.datasets import load_digits

import ascendtensor as at

Array = Any
Tick = Callable[[str], None]


class Analysis(NamedTuple):
    """What `analyse` finds, in arrays of the namespace it ran on."""

    projected: Array
    explained: Array
    centres: Array
    labels: Array
    purity: Array


def standardise(xp: Any, x: Array) -> Array:
    """Columns with mean 0 and deviation 1; those that never change become 0."""
    centred = x - xp.mean(x, axis=0, keepdims=True)
    deviation = xp.std(x, axis=0, keepdims=True)
    return centred / xp.where(deviation > 0, deviation, xp.ones_like(deviation))


def covariance(xp: Any, x: Array) -> Array:
    """The covariance matrix of centred columns."""
    return xp.matmul(xp.matrix_transpose(x), x) / x.shape[0]


def orthonormalise(xp: Any, vectors: Array) -> Array:
    """The columns made orthogonal and of length 1, one after the other (modified Gram-Schmidt)."""
    done: list[Array] = []
    for column in range(vectors.shape[1]):
        vector = vectors[:, column]
        for other in done:
            vector = vector - xp.vecdot(other, vector) * other
        done.append(vector / xp.sqrt(xp.vecdot(vector, vector)))
    return xp.stack(done, axis=1)


def leading_eigenvectors(xp: Any, matrix: Array, start: Array, iterations: int, tick: Tick) -> Array:
    """The eigenvectors of the largest eigenvalues of a symmetric matrix, by orthogonal iteration."""
    vectors = orthonormalise(xp, start)
    for _ in range(iterations):
        vectors = orthonormalise(xp, xp.matmul(matrix, vectors))
        tick("principal components")
    return vectors


def one_hot(xp: Any, labels: Array, classes: int) -> Array:
    """A row for each label, 1 in the label's column."""
    columns = xp.arange(classes, dtype=labels.dtype)
    return xp.astype(xp.expand_dims(labels, axis=1) == columns, xp.float32)


def nearest(xp: Any, x: Array, centres: Array) -> Array:
    """For each row of x, which centre is nearest."""
    squares = xp.sum(centres * centres, axis=1)
    return xp.argmin(squares - 2 * xp.matmul(x, xp.matrix_transpose(centres)), axis=1)


def k_means(xp: Any, x: Array, centres: Array, iterations: int, tick: Tick) -> tuple[Array, Array]:
    """Centres and labels after some rounds of Lloyd's algorithm."""
    for _ in range(iterations):
        members = one_hot(xp, nearest(xp, x, centres), centres.shape[0])
        counts = xp.expand_dims(xp.sum(members, axis=0), axis=1)
        means = xp.matmul(xp.matrix_transpose(members), x) / xp.where(counts > 0, counts, xp.ones_like(counts))
        centres = xp.where(counts > 0, means, centres)
        tick("clusters")
    return centres, nearest(xp, x, centres)


def purity(xp: Any, labels: Array, truth: Array, classes: int) -> Array:
    """The share of points that belong to the majority class of their cluster."""
    shared = xp.matmul(xp.matrix_transpose(one_hot(xp, labels, classes)), one_hot(xp, truth, classes))
    return xp.sum(xp.max(shared, axis=1)) / labels.shape[0]


def analyse(xp: Any, images: Array, truth: Array, settings: argparse.Namespace, tick: Tick) -> Analysis:
    """The whole analysis.

    Parameters:
        xp: the namespace of the arrays.
        images: float32, one image a row.
        truth: int64, the digit of each image.
    """
    chance = random.Random(settings.seed)
    x = standardise(xp, images)
    spread = covariance(xp, x)
    features = x.shape[1]
    start = [[chance.gauss(0, 1) for _ in range(settings.components)] for _ in range(features)]
    start_vectors = xp.asarray(start, dtype=xp.float32)
    vectors = leading_eigenvectors(xp, spread, start_vectors, settings.iterations, tick)
    projected = xp.matmul(x, vectors)
    along = xp.sum(vectors * xp.matmul(spread, vectors), axis=0)
    explained = along / xp.sum(spread * xp.eye(features, dtype=xp.float32))
    first = xp.asarray(chance.sample(range(x.shape[0]), settings.clusters), dtype=xp.int64)
    centres, labels = k_means(xp, projected, xp.take(projected, first, axis=0), settings.rounds, tick)
    return Analysis(projected, explained, centres, labels, purity(xp, labels, truth, settings.clusters))


def largest_difference(ours: Analysis, theirs: Analysis) -> float:
    """How far the device is from NumPy: the largest difference relative to the largest value, over all results."""
    worst = 0.0
    for mine, reference in zip(ours, theirs, strict=True):
        values = np.asarray(mine)
        worst = max(worst, float(np.max(np.abs(values - reference)) / np.max(np.abs(reference))))
    return worst


def draw(projected: np.ndarray[Any, Any], truth: np.ndarray[Any, Any], path: Path) -> None:
    """A scatter plot of the first two components, coloured by digit."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 6.5), layout="constrained")
    for digit in range(10):
        chosen = truth == digit
        axes.scatter(projected[chosen, 0], projected[chosen, 1], s=9, color=f"C{digit}", label=str(digit))
    axes.set(title="UCI handwritten digits on the device", xlabel="component 1", ylabel="component 2")
    axes.legend(title="digit", markerscale=2)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def device_table(profile: at.profiler.profile) -> Table:
    """What the device did, by op type."""
    table = Table(title="What the device did", title_justify="left")
    table.add_column("op type")
    for name in ("calls of execute_v2", "MiB in", "MiB out"):
        table.add_column(name, justify="right")
    counts = profile.key_averages()
    for count in counts:
        table.add_row(count.op_type, f"{count.calls:,}", _mebibytes(count.bytes_in), _mebibytes(count.bytes_out))
    table.add_section()
    total_in, total_out = (sum(values) for values in zip(*((c.bytes_in, c.bytes_out) for c in counts), strict=True))
    table.add_row("all", f"{sum(c.calls for c in counts):,}", _mebibytes(total_in), _mebibytes(total_out))
    table.caption = f"peak device memory: {_mebibytes(profile.peak_memory)} MiB"
    table.caption_justify = "left"
    return table


def _mebibytes(nbytes: int) -> str:
    return f"{nbytes / 2**20:,.2f}"


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--components", type=int, default=10, help="principal components (default %(default)s)")
    parser.add_argument("--clusters", type=int, default=10, help="k-means centres (default %(default)s)")
    parser.add_argument("--iterations", type=int, default=40, help="of the orthogonal iteration (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=30, help="of k-means (default %(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="of the starting points (default %(default)s)")
    parser.add_argument("--output", type=Path, default=Path("digits.png"), help="the plot (default %(default)s)")
    settings = parser.parse_args(arguments)
    if not 2 <= settings.components <= 60:
        parser.error("--components must be from 2 to 60: the plot shows two, and three of 64 pixels never change")
    if not 1 <= settings.clusters <= 1797:
        parser.error("--clusters must be from 1 to 1797, the number of images")
    return settings


def main(arguments: list[str] | None = None) -> Analysis:
    settings = parse(arguments)
    console = Console()
    data = load_digits()
    images, truth = data.data.astype(np.float32), data.target.astype(np.int64)
    info = at.runtime_info()
    console.print(f"ascendtensor on {info['soc']}, {info['runtime']} runtime: {info['reason']}", highlight=False)

    columns = (TextColumn("{task.description:22}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:

        def run_on(xp: Any, name: str) -> Analysis:
            task = progress.add_task(name, total=settings.iterations + settings.rounds)
            return analyse(
                xp,
                xp.asarray(images),
                xp.asarray(truth),
                settings,
                lambda stage: progress.update(task, advance=1, description=f"{name}: {stage}"),
            )

        with at.profiler.profile() as profile:
            found = run_on(at, "device")
            at.npu.synchronize()
        reference = run_on(np, "NumPy")

    draw(np.asarray(found.projected), truth, settings.output)
    explained = np.asarray(found.explained)
    console.print(device_table(profile))
    console.print(f"explained variance of {settings.components} components: {explained.sum():.1%}", highlight=False)
    console.print(f"cluster purity against the true digits: {float(found.purity):.1%}", highlight=False)
    worst = largest_difference(found, reference)
    console.print(f"largest difference from the same code on NumPy: {worst:.1e} of the largest value", highlight=False)
    console.print(f"plot: {settings.output}", highlight=False)
    return found


if __name__ == "__main__":
    main()
