"""The ensemble: several detectors, and a combiner that decides between what they propose.

Zhao 2020, Ensemble Method: the spans of rules, CRF and network are candidates, and a binary
support vector machine says which of them are right (`_combining/stacker.py`). A pool adds up
scores (`_combining/pool.py`), and `_combining/combiners.py` has the plainer ways; see
`learning/ensemble.py` for training. Every member sees every document once; those with the same
tokenizer share its tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from scrubjay.artifacts import Artifact, Manifest, encode_array, encode_json, nest_files
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.taggers._combining.combiners import Combiner, Filled, Union
from scrubjay.taggers._combining.pool import Pool
from scrubjay.taggers._combining.stored_combiners import read_combiner
from scrubjay.taggers._decoding.chain import Wanted
from scrubjay.taggers._mending.cues import Cues, find_cues
from scrubjay.taggers._mending.people.person_labels import tell_persons
from scrubjay.taggers._stored import MISFITS, misfit, read_dial
from scrubjay.taggers.capitals import as_read, restoring_manifest
from scrubjay.taggers.kinds import load_artifact_model, read_stored_words
from scrubjay.taggers.members import Late, Member, MemberRunner
from scrubjay.taggers.mending import mend_all
from scrubjay.taggers.mending_models import (
    behind_others,
    is_mending,
    read_trust,
    scores_to_mend,
)
from scrubjay.text.entities import reading_entities

KIND = "ensemble"
_CRF = "crf"
_FILE = "combiner.json"
_ARRAY = "combiner-{}.npy"


class EnsembleDetector:
    """Finds PHI in documents with several detectors and a combiner; immutable.

    `dial` moves between precision and recall. With a combiner of its own weights it is added to
    the weight of a candidate for each of its words, much as the dial of a tagger acts at each
    token; otherwise it turns those members that have a dial.

    Raises `ConfigError` for members with different label sets, and for a pool of others than
    taggers that share a tokenizer.
    """

    def __init__(
        self,
        members: Sequence[Member],
        combiner: Combiner,
        *,
        manifest: Manifest,
        dial: float = 0.0,
    ) -> None:
        require_one_label_set(members)
        self.members = tuple(members)
        self.combiner = combiner
        self.manifest = manifest
        self.dial = dial
        self.labels = manifest.labels
        self._source = f"{manifest.name or KIND}:"
        if combiner.turns_members and dial:
            members = [member.with_dial(dial) for member in members]
        if isinstance(combiner, Union):  # which keeps spans that name their member already
            members = [member.with_source(self._source + member.name) for member in members]
        self._runner = MemberRunner(
            members,
            asked=combiner.asked,
            fill=combiner.fill if isinstance(combiner, Filled) else (),
            late=_late(combiner, dial),
        )

    def __reduce__(self) -> tuple[object, ...]:
        rebuild = partial(EnsembleDetector, manifest=self.manifest, dial=self.dial)
        return rebuild, (self.members, self.combiner)

    @reading_entities
    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint.

        The source of a span names the members that proposed it: "ensemble:crf+tbed". Where a
        member fails, so does the ensemble: it never goes on with fewer.
        """
        members = (member.manifest for member in self.members)
        documents = as_read(documents, self.manifest, members)
        combined: list[tuple[Span, ...]] = []
        mends, language = is_mending(self.manifest), self.manifest.language
        trust, cues = read_trust(self.manifest), list[Cues]()

        def look_ahead() -> None:
            cues.extend(find_cues([document.text for document in documents], language))

        for part in self._runner.find_parts(documents, meanwhile=look_ahead if mends else None):
            spans = self.combiner.combine(part, source=self._source, dial=self.dial)
            if mends:
                texts = [document.text for document in part.documents]
                begin = len(combined)
                own = cues[begin : begin + len(texts)]
                spans = mend_all(texts, spans, language, labels=self.labels, cues=own)
            combined += spans
        if not mends or trust is None:
            return combined
        # Once for all documents: for each part it would take twice the time.
        texts = [document.text for document in documents]
        return tell_persons(texts, combined, language, trust=trust)

    def with_dial(self, dial: float) -> EnsembleDetector:
        """Return the same detector at another point between precision and recall.

        Raises `ConfigError` where neither the combiner nor a member has a dial.
        """
        if self.combiner.turns_members and not any(m.is_dialled for m in self.members):
            raise ConfigError(
                "none of the members of the ensemble has a recall dial",
                hint="Leave the recall dial out, or choose a model that has one",
            )
        return EnsembleDetector(self.members, self.combiner, manifest=self.manifest, dial=dial)

    def with_capitals(self) -> EnsembleDetector:
        """Return the same detector that reads texts without capitals with those they would have.

        In a pool its CRFs alone do; the networks read lines in capitals in small letters. Raises
        `ConfigError` for a language whose capitals nobody can restore.
        """
        pool = self.combiner.base if isinstance(self.combiner, Filled) else self.combiner
        members, manifest = self.members, restoring_manifest(self.manifest)
        if isinstance(pool, Pool):
            manifest = self.manifest
            members = tuple(
                replace(member, manifest=restoring_manifest(member.manifest))
                if member.manifest.kind == _CRF
                else member
                for member in members
            )
        return EnsembleDetector(members, self.combiner, manifest=manifest, dial=self.dial)

    def without_scores(self, *, but: Wanted | None = None) -> EnsembleDetector:
        """Return the same detector without most scores, where that saves time.

        Those that `but` wants stay, and those whose score decides in mending. One that mends, of
        which others want scores besides, stays as it is.
        """
        own = scores_to_mend(self.manifest)
        if own and but:
            return self
        but = own or but
        combiner = self.combiner
        if isinstance(combiner, Filled) and isinstance(combiner.base, Pool):
            combiner = replace(combiner, base=replace(combiner.base, scores=but or "none"))
        elif isinstance(combiner, Pool):
            combiner = replace(combiner, scores=but or "none")
        elif not isinstance(combiner, Union):
            return self
        # The first of a union speaks first; in a pool nobody does but the pool.
        behind = but and behind_others(but)
        firsts = 1 if isinstance(combiner, Union) else 0
        members = [
            member.without_scores(but=but if number < firsts else behind)
            for number, member in enumerate(self.members)
        ]
        return EnsembleDetector(members, combiner, manifest=self.manifest, dial=self.dial)

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact: those of each member, and the combiner's."""
        record = {"members": [m.name for m in self.members], "combiner": self.combiner.record()}
        files = {_FILE: encode_json(record)}
        for name, array in self.combiner.arrays().items():
            files[_ARRAY.format(name)] = encode_array(array)
        for member in self.members:
            files |= nest_files(member.name, member.manifest, member.detector.files())
        return files


def _late(combiner: Combiner, dial: float) -> Late | None:
    pool = combiner.base if isinstance(combiner, Filled) else combiner
    if not isinstance(pool, Pool) or not pool.late:
        return None
    return Late(pool.late, partial(pool.seek_doubts, dial=dial))


def require_one_label_set(members: Sequence[Member]) -> None:
    """Raise `ConfigError`, naming two members, where their label sets differ."""
    known = [member for member in members if member.manifest.label_set]
    for other in known[1:]:
        first, second = known[0].manifest.label_set, other.manifest.label_set
        if first != second:
            raise ConfigError(
                f"the members {known[0].name!r} and {other.name!r} have different label sets, "
                f"{first!r} and {second!r}",
                hint=f"Train {other.name!r} again with --label-set {first}, on a corpus converted "
                f"by: scrubjay convert --label-map {second}:{first}",
            )


def load_ensemble(artifact: Artifact) -> EnsembleDetector:
    """Return the detector of an artifact of the kind "ensemble", at its recall dial.

    Raises `ArtifactError` where its parts do not fit together, and like the loaders of its
    members.
    """
    manifest = artifact.manifest
    try:
        record = artifact.read_json(_FILE)
        members = [
            Member(name, load_artifact_model(part), part.manifest)
            for name, part in member_artifacts(artifact).items()
        ]
        head, _, tail = _ARRAY.partition("{}")
        arrays = {
            file.removeprefix(head).removesuffix(tail): artifact.read_array(file)
            for file in manifest.files
            if file.startswith(head) and file.count(".") == 1
        }
        names = tuple(member.name for member in members)
        combiner = read_combiner(record["combiner"], arrays, members=names, labels=manifest.labels)
        for member in members:
            if not set(member.detector.labels) <= set(manifest.labels):
                raise ValueError("a member has labels that the ensemble does not know")
        return EnsembleDetector(members, combiner, manifest=manifest, dial=read_dial(manifest))
    except MISFITS as error:
        if isinstance(error, ConfigError):
            raise ArtifactError(f"{artifact.folder}: {error}") from error
        raise misfit(artifact, error) from error


def member_artifacts(artifact: Artifact) -> dict[str, Artifact]:
    """Return the artifact of each member of an ensemble by its name, in their order."""
    return {str(name): artifact.part(str(name)) for name in artifact.read_json(_FILE)["members"]}


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield every word of the training data that some member stores, sorted."""
    parts = member_artifacts(artifact).values()
    yield from sorted({word for part in parts for word in read_stored_words(part)})
