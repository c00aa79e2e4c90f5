S She go to school by bus every days .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S I am interesting in the music .
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||0

S The weather was fine .
A 2 3|||R:VERB:TENSE|||is|||REQUIRED|||-NONE-|||0
