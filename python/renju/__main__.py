from renju._start import command_line

command_line()
