/** The ranges of numbers that options may have. */

export interface NumberRange {
  readonly from: number
  readonly to: number
  readonly isWhole: boolean
  /** Completes "must be …". */
  readonly what: string
}

const whole = (from: number, to: number, what: string): NumberRange => ({ from, to, isWhole: true, what })
const any = (from: number, to: number, what: string): NumberRange => ({ from, to, isWhole: false, what })

export const ranges = {
  port: whole(0, 65_535, 'a port number from 0 to 65535'),
  servers: whole(1, 1000, 'a positive number'),
  streams: whole(0, 100_000, 'a number from 0 to 100000'),
  goawayChance: any(0, 0.02, 'a number from 0 to 0.02'),
  bytesPerSecond: whole(0, 2 ** 49, 'a whole number that is not negative'),
  backups: whole(1, 10_000, 'a number from 1 to 10000'),
  historySize: whole(1024 ** 2, 2 ** 49, 'a whole number of bytes, at least 1048576'),
  seconds: whole(1, 86_400, 'a number of seconds'),
  tolerationSeconds: whole(0, 2 ** 31, 'a number of seconds'),
  count: whole(0, 1_000_000_000, 'a number from 0 on'),
  megabytes: any(0, 1_000_000_000, 'a number of megabytes'),
  rate: any(0, 1_000_000_000, 'a number such as 10 or 0.5'),
  verbosity: whole(0, 2 ** 31 - 1, 'a whole number from 0 to 2147483647'),
  milliseconds: any(0, Number.MAX_SAFE_INTEGER, 'a duration that is not negative'),
  someMilliseconds: any(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, 'more than 0')
} satisfies Readonly<Record<string, NumberRange>>

export const isInRange = (value: number, { from, to, isWhole }: NumberRange): boolean =>
  value >= from && value <= to && (!isWhole || Number.isInteger(value))
