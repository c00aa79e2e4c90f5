"""The annotation workbench: people correct sentences, review each other's answers, study their mistakes, and agree."""
