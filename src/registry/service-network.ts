/** The addresses and ports that Services take theirs from. */
export interface ServiceNetwork {
  /** CIDRs, one per IP family: "10.0.0.0/24". */
  readonly clusterIPRanges: readonly string[]
  readonly nodePorts: { readonly from: number; readonly to: number }
}
