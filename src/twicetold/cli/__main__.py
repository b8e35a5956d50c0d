from twicetold.cli import main

main()
