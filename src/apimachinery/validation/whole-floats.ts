/**
 * Whole numbers that a document writes with a fraction or an exponent, `1.0` or `1e2`, by their place (`spec.list[0].x`). Go holds them as
 * float64 until the object is stored, and JavaScript as integers.
 */
export type WholeFloats = ReadonlyMap<string, number>
