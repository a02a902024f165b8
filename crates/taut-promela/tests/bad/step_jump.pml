init { do :: d_step { break } od; d_step { goto out }; out: skip }
