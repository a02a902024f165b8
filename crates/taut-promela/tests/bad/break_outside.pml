init { break }
