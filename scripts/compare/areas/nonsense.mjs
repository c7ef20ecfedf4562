/**
 * Every field that holds certificates, keys, URLs, expressions, schedules, quantities, times, durations, addresses or raw JSON with well-formed wrappers around
 * nonsense. A seed other than 1 changes each text at a random place. `--kind` and `--field` restrict it.
 */
import { nonsenseOf } from '../field-walk/nonsense.mjs'
import { walkWith } from './each-field.mjs'

export const area = walkWith(nonsenseOf)
