from errata.cli import main

main()
