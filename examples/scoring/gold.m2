S She go to school by bus every days .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1
A 7 8|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||1

S I am interesting in the music .
A 2 3|||R:VERB:FORM|||interested|||REQUIRED|||-NONE-|||0
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||interested|||REQUIRED|||-NONE-|||1

S The weather was fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
