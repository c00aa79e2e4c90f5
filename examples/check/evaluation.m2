S She goes home each day at five o'clock .
A 3 4|||R:DET|||every|||REQUIRED|||-NONE-|||0

S Our teacher told to us that the new library opens in May .
A 2 4|||R:VERB|||told|||REQUIRED|||-NONE-|||0

S Thank you !

S 昨 天 我 在 图 书 馆 看 到 很 多 有 意 思 的 书 。

