/** Whether two types are the same, not only assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles when the type argument is `true`: `is<Equal<typeof name, string>>()`. */
export const is = <_ extends true>(): void => {}
