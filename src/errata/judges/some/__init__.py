"""SOME: grammaticality, fluency and meaning of corrections, learnt from people's ratings."""
