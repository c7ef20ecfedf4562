import type { PathHandler } from '../endpoints/dispatch.js'
import { debugPage } from './page.js'

/** The path /flagz: the flags of the command line with their values. */
export function flagzPath(flags: Readonly<Record<string, string>>, cbor: boolean): PathHandler {
  const names = Object.keys(flags).sort()
  return debugPage(
    {
      name: 'flagz',
      kind: 'Flagz',
      text: () => names.map(name => `${name}: ${flags[name]}\n`).join(''),
      fields: () => ({ flags: Object.fromEntries(names.map(name => [name, flags[name]])) })
    },
    cbor
  )
}
