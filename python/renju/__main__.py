from renju.cli import run

run()
