S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||1

S I like cat .
A 2 3|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||my|||REQUIRED|||-NONE-|||1

S It rains .

S She have a dogs .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||dog|||REQUIRED|||-NONE-|||0
