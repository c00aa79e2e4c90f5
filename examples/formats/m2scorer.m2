S She go to the school .
A 1 2|||Vform|||goes||went||is going|||REQUIRED|||-NONE-|||0
A 3 4|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||0

