/** The operations on one object, as a client saw them. */

/** What the operation asked for. Every write of a run has a value of its own, so that a value names the write. */
export type Action =
  | { readonly kind: 'get' }
  | { readonly kind: 'create'; readonly value: string }
  /** `expected` is the value of the version that the update names; undefined for an update of any version. */
  | { readonly kind: 'update'; readonly value: string; readonly expected: string | undefined }
  | { readonly kind: 'delete' }

export type Outcome =
  /** `value` is what a get found. */
  | { readonly kind: 'done'; readonly value?: string | undefined; readonly resourceVersion?: number | undefined }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'alreadyExists' }
  | { readonly kind: 'conflict' }
  /** No answer came, or one that does not say whether the write happened. */
  | { readonly kind: 'unknown' }

export interface Operation {
  readonly key: string
  readonly client: string
  readonly action: Action
  readonly outcome: Outcome
  /** Moments on one clock. No two moments of a history are equal. */
  readonly called: number
  readonly returned: number
}

/** Describes the operation for an error message. */
export function describeOperation({ key, client, action, outcome, called, returned }: Operation): string {
  const value = 'value' in action ? ` ${action.value}` : ''
  const expected = action.kind === 'update' && action.expected !== undefined ? ` over ${action.expected}` : ''
  const found = outcome.kind === 'done' && action.kind === 'get' ? ` ${outcome.value}` : ''
  const version = outcome.kind === 'done' && outcome.resourceVersion !== undefined ? ` at ${outcome.resourceVersion}` : ''
  return `[${called}, ${returned}] ${client}: ${action.kind} ${key}${value}${expected}: ${outcome.kind}${found}${version}`
}
