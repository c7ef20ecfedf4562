/** Who is signed in to the console: codes of links, which are used once, and the sessions that they begin. */
import { hash, randomBytes } from 'node:crypto'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { type Authenticated, type TokenAuthenticator, TokenError } from '../../auth/authentication/authenticator.js'
import type { Clock } from '../../util/clock.js'

const codeMs = 10 * 60_000
const sessionMs = 12 * 60 * 60_000
/** The most codes that wait to be used, and the most sessions: the oldest gives way. */
const most = 100
const codeBytes = 16
const tokenBytes = 32
const prefix = 'binnacle-console-'

interface Code {
  readonly user: UserInfo
  /** Milliseconds since 1970. */
  readonly until: number
}

interface Kept {
  readonly found: Authenticated
  readonly until: number
}

export interface Session {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Where sessions are kept: in this process, or in the first of several. */
export interface SessionKeeper extends TokenAuthenticator {
  /** Begins the session of a code; undefined when the code is unknown, used or too old. */
  redeem(code: string): Session | undefined | Promise<Session | undefined>
  /** Ends the session of a token. Returns false when there is none. */
  end(token: string): boolean | Promise<boolean>
}

export const isSessionToken = (token: string): boolean => token.startsWith(prefix)

export const sessionEnded = (): TokenError => new TokenError('the session of the console has ended')

/** Keeps hashes alone: what it has in memory opens no session, and the time of a look-up tells nothing about a secret. */
export class ConsoleSessions implements SessionKeeper {
  readonly #clock: Clock
  readonly #codes = new Map<string, Code>()
  readonly #sessions = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns a code by which a browser signs in as the user, once within ten minutes. */
  code(user: UserInfo): string {
    const code = randomBytes(codeBytes).toString('base64url')
    add(this.#codes, digest(code), { user, until: this.#clock.now() + codeMs })
    return code
  }

  redeem(code: string): Session | undefined {
    const key = digest(code)
    const found = this.#codes.get(key)
    this.#codes.delete(key)
    const now = this.#clock.now()
    if (!found || found.until <= now) return undefined
    const token = prefix + randomBytes(tokenBytes).toString('base64url')
    const until = now + sessionMs
    add(this.#sessions, digest(token), { found: { user: found.user }, until })
    return { token, until }
  }

  authenticateToken(token: string): Authenticated | undefined {
    if (!isSessionToken(token)) return undefined
    const found = this.find(token)
    if (!found) throw sessionEnded()
    return found
  }

  /** Returns who has begun the session of a token; undefined when there is none. */
  find(token: string): Authenticated | undefined {
    const found = this.#sessions.get(digest(token))
    return found && found.until > this.#clock.now() ? found.found : undefined
  }

  end(token: string): boolean {
    const key = digest(token)
    const found = this.#sessions.get(key)
    this.#sessions.delete(key)
    return found !== undefined && found.until > this.#clock.now()
  }
}

const digest = (secret: string): string => hash('sha256', secret, 'base64')

function add<T>(all: Map<string, T>, key: string, value: T): void {
  if (all.size >= most) all.delete(all.keys().next().value!)
  all.set(key, value)
}
