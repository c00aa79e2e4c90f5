"""The one way from a document to its correction: text → sentences → looks of a model → stable edits → text.

Every face of errata goes this way. `documents` corrects a document without calling a model itself: it says which
sentences it wants looked at and goes on when it is told. So the same code serves the command line, which asks for many
documents at once (`corrector`), and the server, which asks a queue (`errata.web.service`).
"""
