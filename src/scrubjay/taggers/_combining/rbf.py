"""A binary support vector machine with a radial basis function as kernel, evaluated by numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._combining.candidates import FloatArray

#: Kernel values held at once.
_CHUNK = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class RbfMachine:
    """The decision function `sum(dual * exp(-gamma * |x - support|^2)) + intercept`.

    `support` (s, columns) are scaled, `dual` (s,). Rows are scaled as `(x - mean) / spread`
    first and rounded to float32, as the support vectors were. It is what LIBSVM trains
    (Chang and Lin 2011), and gives what scikit-learn's `SVC.decision_function` gives.
    """

    mean: FloatArray
    spread: FloatArray
    support: npt.NDArray[np.float32]
    dual: FloatArray
    intercept: float
    gamma: float

    def __post_init__(self) -> None:
        columns = self.mean.shape[0]
        if not (
            self.mean.shape == self.spread.shape == (columns,)
            and self.support.shape == (len(self.dual), columns)
            and all(np.isfinite(part).all() for part in (self.mean, self.support, self.dual))
            and np.isfinite([self.intercept, self.gamma]).all()
            and (self.spread > 0).all()
        ):
            raise ValueError("the parts of the support vector machine do not fit together")

    def margins(self, features: FloatArray) -> FloatArray:
        """Return the margin of each row (n,): above 0 for the positive class.

        Margins have nine decimals, so that they do not depend on what else is in a batch.
        """
        rows = scale_features(features, self.mean, self.spread).astype(np.float64)
        support = self.support.astype(np.float64)
        norms = np.einsum("ij,ij->i", support, support)
        margins = np.zeros(len(rows))
        step = max(1, _CHUNK // max(1, len(support)))
        for begin in range(0, len(rows), step):
            part = rows[begin : begin + step]
            squares = np.einsum("ij,ij->i", part, part)[:, None] + norms - 2.0 * part @ support.T
            kernel = np.exp(-self.gamma * np.maximum(squares, 0.0))
            margins[begin : begin + step] = kernel @ self.dual
        rounded: FloatArray = np.round(margins + self.intercept, 9)
        return rounded

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that `read_machine` takes, by name."""
        return {
            "mean": self.mean,
            "spread": self.spread,
            "support": self.support,
            "dual": self.dual,
            "constants": np.array([self.intercept, self.gamma]),
        }


def read_machine(arrays: Mapping[str, npt.NDArray[Any]]) -> RbfMachine:
    """Return the machine of some arrays; raises `ValueError` where they do not fit together."""
    intercept, gamma = map(float, arrays["constants"].astype(np.float64))
    return RbfMachine(
        arrays["mean"].astype(np.float64),
        arrays["spread"].astype(np.float64),
        arrays["support"].astype(np.float32),
        arrays["dual"].astype(np.float64),
        intercept,
        gamma,
    )


def scale_features(
    features: FloatArray, mean: FloatArray, spread: FloatArray
) -> npt.NDArray[np.float32]:
    """Return features around 0 with spread 1."""
    scaled: npt.NDArray[np.float32] = ((features - mean) / spread).astype(np.float32)
    return scaled
