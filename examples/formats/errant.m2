S She go to school every days .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1
A 4 6|||U:OTHER||||||REQUIRED|||-NONE-|||1

S It rains .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

