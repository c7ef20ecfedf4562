/** The feature gates that change what Binnacle does. Code can ask only for these; all others stay at their default. */
export const honouredGates = [
  'ClusterTrustBundle',
  'ClusterTrustBundleProjection',
  'LoggingAlphaOptions',
  'LoggingBetaOptions',
  'PodCertificateRequest'
] as const

export type HonouredGate = (typeof honouredGates)[number]
