// The page: where programs are written, checked, compared and mended.
