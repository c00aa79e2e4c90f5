"""Reports as HTML pages that need nothing else: the frame of a page, tables, and plots as SVG."""
