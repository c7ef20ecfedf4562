/**
 * Flags of V8 that are set while the process runs. V8 takes compiled code that was kept, that of Node's own modules too, only under the
 * flags under which it was kept: code is loaded and kept under the usual ones.
 */
import { setFlagsFromString } from 'node:v8'

interface Setting {
  value: number
  readonly usual: number
}

const settings = new Map<string, Setting>()

const set = (name: string, value: number) => setFlagsFromString(`--${name}=${value}`)

/** Sets a flag, whose value is `usual` where nobody sets it. */
export function setFlag(name: string, value: number, usual: number): void {
  settings.set(name, { value, usual })
  set(name, value)
}

/** Runs `run` with the values that V8's flags have when nobody sets them. */
export function underUsualFlags<T>(run: () => T): T {
  for (const [name, { usual }] of settings) set(name, usual)
  try {
    return run()
  } finally {
    for (const [name, { value }] of settings) set(name, value)
  }
}

/** Runs `run` with a flag that is otherwise not set. */
export function underFlag<T>(name: string, run: () => T): T {
  setFlagsFromString(`--${name}`)
  try {
    return run()
  } finally {
    setFlagsFromString(`--no-${name}`)
  }
}

/** Resets `--max-semi-space-size`, which has had its effect by the time the first module runs. */
export const forgetSemiSpace = (): void => set('max-semi-space-size', 0)
