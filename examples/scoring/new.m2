S She go to school by bus every days .
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||0

S I am interesting in the music .
A 2 3|||R:VERB:FORM|||interested|||REQUIRED|||-NONE-|||0

S The weather was fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
