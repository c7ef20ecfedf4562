import { admissionFlags } from './admission-flags.js'
import { aggregationFlags } from './aggregation-flags.js'
import { auditFlags } from './audit-flags.js'
import { authenticationFlags } from './authentication-flags.js'
import { authorizationFlags } from './authorization-flags.js'
import { clusterFlags } from './cluster-flags.js'
import { hiddenFlags } from './deprecated-flags.js'
import { fixedFlags } from './fixed-flags.js'
import { genericFlags } from './generic-flags.js'
import { logFlags } from './log-flags.js'
import { metricsFlags } from './metrics-flags.js'
import { servingFlags } from './serving-flags.js'
import { storageFlags } from './storage-flags.js'

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
 * The flags of `binnacle serve`. Names, types and, unless the description says otherwise, defaults are those of kube-apiserver.
 */
export const serveFlags = {
  ...storageFlags,
  ...servingFlags,
  ...auditFlags,
  ...authenticationFlags,
  ...authorizationFlags,
  ...admissionFlags,
  ...aggregationFlags,
  ...genericFlags,
  ...clusterFlags,
  ...metricsFlags,
  ...logFlags
}

/** All accepted flags, including those that are accepted only with the value that changes nothing. */
export const acceptedFlags: typeof serveFlags & typeof hiddenFlags = { ...hiddenFlags, ...fixedFlags, ...serveFlags }
