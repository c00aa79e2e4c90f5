S 他 每 天 都 去 学 校 上 课 的 。
T0-A0 他 每 天 都 去 学 校 上 课 。
A 9 10|||R|||-NONE-|||REQUIRED|||-NONE-|||0
T1-A0 他 每 天 都 要 去 学 校 上 课 。
A 4 4|||M|||要|||REQUIRED|||-NONE-|||1
A 9 10|||R|||-NONE-|||REQUIRED|||-NONE-|||1

S 今 天 很 冷 。
T0 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

