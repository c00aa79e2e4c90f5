"""Networks on the processor itself: our own kernels for BERT-like encoders, for x86-64 with AVX2.

Products are computed in 16-bit whole numbers at nearly the precision of floats (`kernels/matrix.h` says how), which is
about twice as fast as floats; nothing is padded, and no other runtime is loaded. Elsewhere ONNX Runtime does the work.
"""

from errata.networks.native.network import is_available

__all__ = ["is_available"]
