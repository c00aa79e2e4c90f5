"""From web pages to a corpus: read WARC, WET or HTML, keep complete prose in one language, count what is dropped."""
