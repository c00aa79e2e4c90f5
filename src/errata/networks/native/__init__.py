"""Networks on the processor itself: our own kernels for encoders like BERT and MPNet, for x86-64 with AVX2.

Products of 16-bit whole numbers are nearly as precise as products of floats (`kernels/matrix.h` says how) and about
twice as fast. Nothing is padded, and no other runtime is loaded. Other processors use ONNX Runtime.
"""

from errata.networks.native.network import is_available

__all__ = ["is_available"]
