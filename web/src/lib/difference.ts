// The difference of two independent estimates.

import type { Estimate } from './format';

/**
 * Returns the difference with an interval made of both intervals: G. Y. Zou and A. Donner, "Construction of confidence
 * limits about effect measures", Statistics in Medicine 27 (2008), 1693–1702. An exact value has equal limits.
 */
export function difference(one: Estimate, other: Estimate): Estimate {
  const value = one.value - other.value;
  if (one.low === null || one.high === null || other.low === null || other.high === null)
    return { value, low: null, high: null };
  return {
    value,
    low: value - Math.hypot(one.value - one.low, other.high - other.value),
    high: value + Math.hypot(one.high - one.value, other.value - other.low),
  };
}
