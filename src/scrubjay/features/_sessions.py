"""Sessions of ONNX Runtime: the one file that knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay.errors import ArtifactError, MissingExtraError

if TYPE_CHECKING:
    import onnxruntime

#: Only fatal messages: a library writes nothing to the screen.
_SILENT = 4

#: Products of 8 bits as they are: x86 processors without VNNI (AMD's before 2022, Intel's before
#: 2019) else add two of them in 16 bits and cut off what is larger, and a network finds other
#: things there than where it was measured. On other processors the setting does nothing.
_EXACT = ("session.x64quantprecision", "1")


def make_session(model: bytes, *, threads: int = 0) -> onnxruntime.InferenceSession:
    """Return a session that runs an ONNX model (its bytes) on the CPU.

    `threads` bounds the threads that share one operator's work, 0 is one per core. A session may
    be run by several threads at once; it cannot be pickled.

    Raises `MissingExtraError` where ONNX Runtime is not installed, and `ArtifactError` for bytes
    that are no graph that it can run.
    """
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtraError("onnxruntime", "neural") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _SILENT
    options.add_session_config_entry(*_EXACT)
    try:
        return onnxruntime.InferenceSession(
            model, sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # ONNX Runtime has a dozen kinds and no common base
        raise ArtifactError(
            f"a network cannot be loaded: ONNX Runtime {onnxruntime.__version__} refuses its "
            f"graph ({type(error).__name__}). Copy the model again from where it came, or install "
            "the releases that wrote it"
        ) from error
