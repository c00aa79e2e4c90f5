S She go to school by bus every days .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I am interesting in the music .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The weather was fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

