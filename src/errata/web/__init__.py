"""The HTTP server: errata's own API, LanguageTool's API, and the pages."""
