/** The Kubernetes release whose API is served. */
export const kubernetesVersion = 'v1.36.2'
