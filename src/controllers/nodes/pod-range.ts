/** The ranges of addresses that the Nodes of a simulated cluster give their Pods. */

/** Enough for all Nodes: what kube-controller-manager would need --cluster-cidr=10.224.0.0/11 for. */
export const mostRanges = 32 * 256

/** The ranges in their order: 10.244.0.0/24 to 10.255.255.0/24, then those from 10.224.0.0/24 on. */
export function podRange(number: number): string {
  const second = 224 + ((20 + (number >> 8)) % 32)
  return `10.${second}.${number & 255}.0/24`
}
