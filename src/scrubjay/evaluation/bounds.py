"""What counts of leaks allow to claim: shares with bounds, and how much must be checked.

Intervals are two-sided; a bound that backs a claim ("at most", "at least") is one-sided, at the
same confidence. All are exact for independent trials. Mentions of one document are not: they
stand and fall together, which the design effect measures (Kish 1965, section 8.2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.intervals import (
    CONFIDENCE,
    Interval,
    exact_interval,
    require_confidence,
    upper_bound_when_none,
)

ALLOWED = (0, 1, 2, 3, 5, 10)
"""How many misses the tables of sample sizes allow."""

MOST_TRIALS = 1 << 40
"""No sample size beyond this is looked for."""


@dataclass(frozen=True, slots=True)
class Share:
    """`events` of `trials`, with its exact two-sided interval and its one-sided bounds.

    `value` is None without trials; the bounds are 0 and 1 then. `rule_of_three` is the
    approximate upper bound 3 / trials (at 0.95; else `-ln(1 - confidence) / trials`) where none
    was seen, and None otherwise.
    """

    events: int
    trials: int
    confidence: float
    interval: Interval
    lower: float
    upper: float

    @property
    def value(self) -> float | None:
        """The share itself."""
        return self.events / self.trials if self.trials else None

    @property
    def rule_of_three(self) -> float | None:
        """The approximate upper bound where no event was seen."""
        if self.events or not self.trials:
            return None
        nominal = 3.0 if self.confidence == 0.95 else -math.log1p(-self.confidence)
        return min(1.0, nominal / self.trials)

    def record(self) -> dict[str, Any]:
        """Return the share as JSON values."""
        return {
            "events": self.events,
            "trials": self.trials,
            "share": self.value,
            "confidence": self.confidence,
            "low": self.interval.low,
            "high": self.interval.high,
            "lower_bound": self.lower,
            "upper_bound": self.upper,
            "rule_of_three": self.rule_of_three,
        }


def share_of(events: int, trials: int, *, confidence: float = CONFIDENCE) -> Share:
    """Return a share with its interval and bounds.

    Raises `ConfigError` for a confidence that is no bound's (0.5 < confidence < 1), and as
    `exact_interval` does.
    """
    confidence = require_bound_confidence(confidence)
    # Both ends of the interval at 2c - 1 are one-sided bounds at c.
    bounds = exact_interval(events, trials, confidence=2.0 * confidence - 1.0)
    upper = bounds.high if events else upper_bound_when_none(trials, confidence)
    return Share(
        events,
        trials,
        confidence,
        exact_interval(events, trials, confidence=confidence),
        bounds.low,
        upper,
    )


def require_bound_confidence(confidence: float) -> float:
    """Return the confidence, or raise `ConfigError` where it is none that could back a claim."""
    confidence = require_confidence(confidence)
    if confidence <= 0.5:
        raise ConfigError(
            f"a confidence of {confidence:g} backs no claim", hint="Give more than 0.5, say 0.95"
        )
    return confidence


def require_claim(claim: float) -> float:
    """Return a recall that is to be claimed, or raise `ConfigError` outside (0, 1)."""
    if not 0.0 < claim < 1.0:
        raise ConfigError(
            f"no sample can show a recall of {claim:g}", hint="Give a share such as 0.99"
        )
    return claim


def chance_of_at_most(allowed: int, trials: int, rate: float) -> float:
    """Return the probability of at most that many events in so many independent trials.

    Each happens with probability `rate`. Terms are summed from their logarithms, so that a
    million trials lose nothing.
    """
    if rate <= 0.0 or allowed >= trials:
        return 1.0
    if rate >= 1.0:
        return 0.0
    step = math.log(rate) - math.log1p(-rate)
    term = trials * math.log1p(-rate)
    total = math.exp(term)
    for events in range(allowed):
        term += math.log((trials - events) / (events + 1)) + step
        total += math.exp(term)
    return min(1.0, total)


def trials_needed(claim: float, *, allowed: int = 0, confidence: float = CONFIDENCE) -> int:
    """Return the least number of trials of which `allowed` may fail, and `claim` still holds.

    It is the least n at which the one-sided exact bound of n - allowed successes is `claim` or
    more: 299 for a recall of 0.99 at 0.95 if none is missed, 473 if one is.

    Raises `ConfigError` for settings without an answer.
    """
    claim, confidence = require_claim(claim), require_bound_confidence(confidence)
    if allowed < 0:
        raise ConfigError(f"{allowed} misses cannot be allowed")
    limit, rate = 1.0 - confidence, 1.0 - claim

    def is_enough(trials: int) -> bool:
        # Rounding of the last digits must not ask for one trial more.
        return chance_of_at_most(allowed, trials, rate) <= limit * (1.0 + 1e-12)

    high = allowed + 1
    while not is_enough(high):
        high *= 2
        if high > MOST_TRIALS:
            raise ConfigError(f"no sample of a practical size shows a recall of {claim:g}")
    return _least(is_enough, allowed, high)


@dataclass(frozen=True, slots=True)
class SampleSize:
    """How many mentions, or documents, must be checked so that `allowed` misses back the claim.

    `mentions` are those of gold that have to be found or missed in the sample, `documents` the
    documents which hold about so many (None where their density is unknown). `clean_documents`
    is how many documents must be checked to claim that at least the same share of documents
    leaks nothing, `allowed` of them apart. `chance` is the probability that no more than
    `allowed` mentions are missed where the true recall is the expected one.
    """

    claim: float
    confidence: float
    allowed: int
    mentions: int
    documents: int | None
    clean_documents: int
    chance: float | None

    def record(self) -> dict[str, Any]:
        """Return the sample size as JSON values."""
        return {
            "claim": self.claim,
            "confidence": self.confidence,
            "allowed_misses": self.allowed,
            "mentions": self.mentions,
            "documents": self.documents,
            "documents_for_share_of_clean_documents": self.clean_documents,
            "chance_at_expected_recall": self.chance,
        }


def sample_sizes(
    claim: float,
    *,
    confidence: float = CONFIDENCE,
    mentions_per_document: float | None = None,
    design_effect: float = 1.0,
    expected_recall: float | None = None,
) -> tuple[SampleSize, ...]:
    """Return what must be checked to claim a recall, for each number of misses in `ALLOWED`.

    `mentions` are multiplied by the design effect: so many dependent mentions tell as much as
    the independent ones of the exact bound. Raises `ConfigError` for values out of range.
    """
    if not design_effect >= 1.0 or math.isinf(design_effect):
        raise ConfigError(f"a design effect is 1 or more, {design_effect:g} is not")
    if mentions_per_document is not None and not 0.0 < mentions_per_document < math.inf:
        raise ConfigError(f"{mentions_per_document:g} mentions in a document give no sample size")
    if expected_recall is not None and not 0.0 <= expected_recall <= 1.0:
        raise ConfigError(f"a recall lies between 0 and 1, {expected_recall:g} does not")
    sizes = []
    for misses in ALLOWED:
        independent = trials_needed(claim, allowed=misses, confidence=confidence)
        mentions = math.ceil(independent * design_effect)
        documents = None
        if mentions_per_document is not None:
            documents = math.ceil(mentions / mentions_per_document)
        chance = None
        if expected_recall is not None:
            chance = chance_of_at_most(misses, independent, 1.0 - expected_recall)
        sizes.append(
            SampleSize(claim, confidence, misses, mentions, documents, independent, chance)
        )
    return tuple(sizes)


def measure_design_effect(rows: Sequence[tuple[int, int]]) -> float | None:
    """Return how many times wider the variance of a share is than that of independent trials.

    `rows` are `(trials, events)` of each cluster (a document or a patient). The variance is
    that of a ratio of sums, by linearization (Cochran 1977, section 3.12). None where it is
    undefined: less than two clusters, no events, or nothing but events.
    """
    clusters = [(trials, events) for trials, events in rows if trials]
    trials = sum(size for size, _ in clusters)
    events = sum(found for _, found in clusters)
    if len(clusters) < 2 or not 0 < events < trials:
        return None
    share = events / trials
    squares = math.fsum((found - share * size) ** 2 for size, found in clusters)
    clustered = len(clusters) / (len(clusters) - 1) * squares / trials**2
    return clustered / (share * (1.0 - share) / trials)


def most_in_population(
    population: int, sampled: int, seen: int, *, confidence: float = CONFIDENCE
) -> int:
    """Return the greatest number of a finite population that can be of a kind.

    Of `population` documents `sampled` were drawn without replacement and `seen` of them were of
    the kind. With the confidence given no more than the result are; it is the exact one-sided
    bound of the hypergeometric distribution, tighter than the binomial one where the sample is
    a large part of the whole. Raises `InputError` for counts that do not fit.
    """
    confidence = require_bound_confidence(confidence)
    if not 0 <= seen <= sampled <= population:
        raise InputError(f"{seen} of {sampled} drawn from {population} is no sample")
    limit = 1.0 - confidence

    def is_too_many(kind: int) -> bool:
        # A chance that equals the limit may miss it in its last digits: it comes from logarithms.
        return _chance_of_sample(population, kind, sampled, seen) <= limit * (1.0 + 1e-9)

    most = population - (sampled - seen)
    if not is_too_many(most + 1):
        return most
    return _least(is_too_many, seen, most + 1) - 1


def _chance_of_sample(population: int, kind: int, sampled: int, seen: int) -> float:
    """Return the probability of at most `seen` of a kind in a sample without replacement."""
    others = population - kind
    whole = _log_choose(population, sampled)
    least = max(0, sampled - others)
    return math.fsum(
        math.exp(_log_choose(kind, taken) + _log_choose(others, sampled - taken) - whole)
        for taken in range(least, min(seen, kind) + 1)
    )


def _log_choose(whole: int, part: int) -> float:
    if not 0 <= part <= whole:
        return -math.inf
    return math.lgamma(whole + 1) - math.lgamma(part + 1) - math.lgamma(whole - part + 1)


def _least(holds: Callable[[int], bool], fails_at: int, holds_at: int) -> int:
    """Return the least number at which a condition holds that holds from there on."""
    while holds_at - fails_at > 1:
        middle = (fails_at + holds_at) // 2
        if holds(middle):
            holds_at = middle
        else:
            fails_at = middle
    return holds_at
