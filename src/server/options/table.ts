/** All options of a server that have a flag, by the names under which programs give them. */
import { admissionOptions } from './admission.js'
import { aggregationOptions } from './aggregation.js'
import { auditOptions } from './audit.js'
import { authenticationOptions } from './authentication.js'
import { authorizationOptions } from './authorization.js'
import { clusterOptions } from './cluster.js'
import type { FlagValue } from './flag.js'
import { genericOptions } from './generic.js'
import { logOptions } from './log.js'
import { metricsOptions } from './metrics.js'
import { servingOptions } from './serving.js'
import { storageOptions } from './storage.js'

export const optionTable = {
  ...storageOptions,
  ...servingOptions,
  ...auditOptions,
  ...authenticationOptions,
  ...authorizationOptions,
  ...admissionOptions,
  ...aggregationOptions,
  ...genericOptions,
  ...clusterOptions,
  ...metricsOptions,
  ...logOptions
}

export type OptionTable = typeof optionTable

/** The flags of the table, by their names. */
export type OptionFlags = { readonly [Name in keyof OptionTable as OptionTable[Name]['flag']]: OptionTable[Name] }
/** The values of the flags, by their names. */
export type OptionFlagValues = { readonly [F in keyof OptionFlags]: FlagValue<OptionFlags[F]> }

export const optionFlags = Object.fromEntries(Object.values(optionTable).map(option => [option.flag, option])) as OptionFlags
