S My friend like the big dog of my neighbour .
A 2 3|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0

S The film was very interesting .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

