import { computed, signal } from '@preact/signals'

/** What the server that sent this page says of itself, at `/console/config.json`. */
export interface Config {
  readonly version: string
  /** How one signs in. */
  readonly signIn: readonly ('link' | 'token')[]
  /** Whether requests go through `binnacle console` to another server. */
  readonly proxied: boolean
  readonly name: string
}

export interface Self {
  readonly username?: string
  readonly groups?: readonly string[]
}

/** Another user as whom requests are made (user impersonation). */
export interface Impersonated {
  readonly user: string
  readonly groups: readonly string[]
}

// A tab keeps its token while it is open, also over a reload. Cookies and localStorage would share it.
const key = 'binnacle.token'

export const config = signal<Config>()
export const token = signal(sessionStorage.getItem(key) ?? undefined)
export const impersonated = signal<Impersonated>()
/** Why the last session ended, for the page on which one signs in. */
export const signedOutBecause = signal('')
/** Who is signed in, or impersonated; undefined where the server does not tell. */
export const self = signal<Self>()
export const isSignedIn = computed(() => token.value !== undefined)

export function signIn(value: string): void {
  sessionStorage.setItem(key, value)
  signedOutBecause.value = ''
  token.value = value
}

export function forget(reason = ''): void {
  sessionStorage.removeItem(key)
  impersonated.value = undefined
  signedOutBecause.value = reason
  token.value = undefined
}

/** Makes a session of the code of a one-time link. */
export async function redeem(code: string): Promise<void> {
  const response = await fetch('/console/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code })
  })
  if (!response.ok) {
    forget(
      response.status === 401
        ? 'This link has been used, or is more than 10 minutes old.'
        : `The server answered ${response.status} to the link.`
    )
    return
  }
  signIn(((await response.json()) as { token: string }).token)
}

/** Ends the session, also on the server. */
export async function signOut(): Promise<void> {
  const bearer = token.value
  forget()
  if (bearer)
    await fetch('/console/session', { method: 'DELETE', headers: { authorization: `Bearer ${bearer}` } }).catch(() => {})
}
