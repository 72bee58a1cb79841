// Lines with corners as networks of one hidden layer: a hinge at each bend, with the change of slope
// as its weight, so that the sum meets a curve at every bend. The curve is the wave of the chapter on
// the feed-forward network.

var SoftLookup = SoftLookup || {};

SoftLookup.hinges = (() => {
  "use strict";
  const { relu } = SoftLookup.layers;
  const END = 6;
  // Where the error is measured, and in which steps a bend is moved.
  const POINTS = Array.from({ length: 400 }, (_, i) => (END * i) / 399);
  const STEP = 0.05;

  /** The curve. @param {number} x */
  const wave = (x) => Math.sin(2 * x) + 0.3 * x;

  /** So many units, evenly spaced: where each begins, and the end. @param {number} units */
  const even = (units) => Array.from({ length: units + 1 }, (_, i) => (END * i) / units);

  /**
   * The weights with which hinges meet the wave at all places; the last place is the end.
   * @param {number[]} places in rising order, from 0 @returns {number[]} one for each hinge
   */
  function turns(places) {
    const slopes = places
      .slice(1)
      .map((place, i) => (wave(place) - wave(places[i])) / (place - places[i]));
    return slopes.map((slope, i) => (i === 0 ? slope : slope - slopes[i - 1]));
  }

  /** What the network answers. @param {number[]} places @param {number[]} weights @param {number} x */
  function answer(places, weights, x) {
    return weights.reduce((sum, each, j) => sum + each * relu(x - places[j]), wave(0));
  }

  /** The greatest error, and where it is. @param {number[]} places */
  function greatestError(places) {
    const weights = turns(places);
    let error = 0;
    let at = 0;
    for (const x of POINTS) {
      const apart = Math.abs(answer(places, weights, x) - wave(x));
      if (apart > error) {
        error = apart;
        at = x;
      }
    }
    return { error, at };
  }

  /** The least number of evenly spaced units that err no more. @param {number} error @param {number} most */
  function evenlyNeeded(error, most) {
    for (let units = 1; units <= most; units++) {
      if (greatestError(even(units)).error <= error + 1e-9) return units;
    }
    return undefined;
  }

  /** One bend more, as near as may be to where the error is greatest. @param {number[]} places */
  function added(places) {
    const { at } = greatestError(places);
    const free = Array.from(
      { length: Math.round(END / STEP) - 1 },
      (_, i) => (i + 1) * STEP,
    ).filter((each) => places.every((place) => Math.abs(place - each) > STEP * 0.99));
    const apart = free.map((each) => Math.abs(each - at));
    return [...places, free[apart.indexOf(Math.min(...apart))]].sort((a, b) => a - b);
  }

  /** One bend fewer: the one without which the error is least. @param {number[]} places */
  function removed(places) {
    const rest = places
      .slice(1, -1)
      .map((gone) => places.filter((place) => place !== gone))
      .map((left) => ({ left, error: greatestError(left).error }));
    return rest.reduce((best, each) => (each.error < best.error ? each : best)).left;
  }

  /** A bend at another place, a step from its neighbours at least. @param {number[]} places @param {number} bend from 1 @param {number} to */
  function moved(places, bend, to) {
    const snapped = Math.round(to / STEP) * STEP;
    const least = Math.ceil((places[bend - 1] + STEP) / STEP - 1e-9) * STEP;
    const most = Math.floor((places[bend + 1] - STEP) / STEP + 1e-9) * STEP;
    if (least > most) return places;
    const place = Math.min(most, Math.max(least, snapped));
    return places.map((each, i) => (i === bend ? place : each));
  }

  return {
    END,
    STEP,
    POINTS,
    wave,
    even,
    turns,
    answer,
    greatestError,
    evenlyNeeded,
    added,
    removed,
    moved,
  };
})();
