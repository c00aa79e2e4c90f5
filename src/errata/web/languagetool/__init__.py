"""LanguageTool's HTTP API, so that its clients work with errata: `/v2/check`, `/v2/languages`, `/v2/words` …"""
