/* Smoothing and calibration of the sensor's channels.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef FILTER_H
#define FILTER_H

#define CHANNELS 4
#define HISTORY 8

/* Take a sample of CHANNEL; return the smoothed value.  */
int filter_update (unsigned channel, int value);

/* Work out the noise of every channel anew.  Takes long.  */
void filter_calibrate (void);

#endif /* FILTER_H */
