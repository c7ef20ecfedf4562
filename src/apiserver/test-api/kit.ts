/** What the test API needs of a server; `Server` in `server/server.ts` provides it. */

export interface Kit {
  /** The servers below `/servers/` of this one, by their names. */
  readonly hosted: ReadonlyMap<string, HostedServer>
  /** Throws a UserError for a wrong `simulate`. */
  host(
    name: string,
    options?: {
      readonly snapshot?: KitSnapshot | undefined
      readonly seed?: string | undefined
      readonly simulate?: boolean | object | undefined
    }
  ): Promise<HostedServer>
  /** The text of a kubeconfig. Throws a UserError for a user that cannot have one. */
  kubeconfig(of: KitUser): string | Promise<string>
  snapshot(): Promise<KitSnapshot>
  restore(snapshot: KitSnapshot): Promise<void>
  /** Missing when the server has no faults. */
  readonly faults?: FaultKit
  /** Missing when the server cannot record requests, and undefined when it does not. */
  readonly recorder?: RecorderKit | undefined
}

/** A user with a certificate, or a ServiceAccount: `team/builder`. */
export type KitUser = { readonly user: string; readonly groups?: readonly string[] } | { readonly serviceAccount: string }

export interface HostedServer {
  readonly url: string
  kubeconfig(): string
  stop(): Promise<void>
}

export interface KitSnapshot {
  dispose(): Promise<void>
}

export interface FaultKit {
  /** Throws a UserError for a wrong rule. */
  add(rule: object): FaultAtWork
}

/** A rule that was added, and what it has done. */
export interface FaultAtWork {
  readonly hits: readonly object[]
  readonly count: number
  remove(): void
}

export interface RecorderKit {
  /** The number of the last request so far. */
  mark(): number
  text(view: RequestView): string
  json(view: RequestView): string
  html(selection: RequestSelection): string
  clear(): void
}

export interface RequestSelection {
  /** Only requests after this mark. */
  readonly since?: number | undefined
}

export interface RequestView extends RequestSelection {
  /** Whether to show how long everything took; true. */
  readonly timings?: boolean | undefined
}
