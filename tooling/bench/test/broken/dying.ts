// Ends where it should work.
process.exit(3)
