/** The Kubernetes release whose API is served. Everything that names the release derives it from here. */
export const kubernetesVersion = 'v1.37.2'
/** Its minor version, by which releases are told apart: 37. */
export const kubernetesMinor = Number(kubernetesVersion.split('.')[1])
/** The minor version of the oldest release that can be emulated: three before (KEP-4330). */
export const oldestEmulatedMinor = kubernetesMinor - 3
