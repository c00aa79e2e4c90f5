"""The workbench: people correct, review, study and agree, in the browser."""
