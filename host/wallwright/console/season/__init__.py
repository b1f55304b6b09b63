"""The pages of a season for everybody: files that any web server can have, or served as they are asked for."""
