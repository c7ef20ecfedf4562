import type { FlagValues } from '../../server/options/flag.js'
import { type OptionFlagValues, optionFlags } from '../../server/options/table.js'
import { commandFlags } from './command-flags.js'
import { hiddenFlags } from './deprecated-flags.js'
import { fixedFlags } from './fixed-flags.js'

/** The sections of the help, in their order. */
export const serveSections = [
  'Storage',
  'Secure serving',
  'Auditing',
  'Authentication',
  'Authorization',
  'Admission',
  'API enablement',
  'Features',
  'Generic',
  'Metrics',
  'Logs',
  'Traces',
  'Egress selector',
  'Misc',
  'Global'
] as const

/**
 * The flags of `binnacle serve`. Names, types and, unless the help says otherwise, defaults are those of kube-apiserver.
 */
export const serveFlags = { ...optionFlags, ...commandFlags }

/** All accepted flags, including those that are accepted only with the value that changes nothing. */
export const acceptedFlags: typeof serveFlags & typeof hiddenFlags = { ...hiddenFlags, ...fixedFlags, ...serveFlags }

/** The values of all flags that say something. */
export type ServeValues = OptionFlagValues & FlagValues<typeof commandFlags> & FlagValues<typeof hiddenFlags>
