/** Sends requests whose texts hope to break lines or JSON, and reads the audit log strictly. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BinnacleServer, createServer } from '../../../index.js'
import { goPairs } from '../../../testkit/go-unquote.js'
import { HostileValues } from '../../../testkit/hostile-values.js'
import { silentLogger } from '../../../util/logger.js'
import { decoded } from '../text.js'

const fieldsOfLine = [
  'id',
  'stage',
  'ip',
  'method',
  'user',
  'groups',
  'as',
  'asgroups',
  'user-agent',
  'namespace',
  'uri',
  'response'
]

/** What HTTP can carry in a header, with a character for each byte. */
const headerText = (values: HostileValues, most?: number) =>
  Buffer.from(values.text(most))
    .toString('latin1')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these cannot come
    .replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '')
    .trim()

/** A server with an audit log, and what a seed finds wrong with its lines. */
export class HostileAudit {
  readonly #folder = mkdtempSync(join(tmpdir(), 'binnacle-hostile-audit-'))
  readonly #path = join(this.#folder, 'audit.log')
  readonly #format: 'json' | 'legacy'
  readonly #server: BinnacleServer
  #read = 0

  private constructor(format: 'json' | 'legacy') {
    this.#format = format
    this.#server = createServer({
      ...{ listen: false, log: silentLogger, controllers: [], auditLogPath: this.#path, auditLogFormat: format },
      auditPolicy: {
        omitStages: ['RequestReceived'],
        rules: [{ level: 'None', users: ['system:apiserver'] }, { level: 'RequestResponse' }]
      }
    })
  }

  static async start(format: 'json' | 'legacy'): Promise<HostileAudit> {
    const audit = new HostileAudit(format)
    await audit.#server.start()
    return audit
  }

  /** Returns what is wrong with the line of a seed's request; undefined when nothing is. */
  async problem(seed: number): Promise<string | undefined> {
    const values = new HostileValues(seed)
    const { next } = values
    const user = {
      name: values.text() || 'x',
      groups: next(2) ? [values.text(), 'system:masters'] : [values.text()],
      ...(next(2) && { uid: values.text(), extra: { [values.text()]: [values.text(), values.text()] } })
    }
    const id = headerText(values) || 'id'
    const agent = headerText(values, 600)
    const impersonated = next(3) === 0 ? headerText(values) : ''
    const url = `/api/v1/namespaces/${next(2) ? 'default' : encodeURIComponent(values.wellFormed(3))}/configmaps?${[
      `fieldManager=${encodeURIComponent(values.wellFormed(3))}`,
      `labelSelector=${encodeURIComponent(values.wellFormed(3))}`,
      headerText(values).replace(/[\s#]/g, '')
    ].join('&')}`
    const annotations = { [values.wellFormed(3)]: values.text() }
    const body = {
      metadata: { name: next(2) ? `m${seed}` : values.text(3), annotations },
      data: { [values.text(2)]: values.text() }
    }
    const headers = {
      ...{ 'audit-id': id, 'user-agent': agent, 'x-forwarded-for': headerText(values), 'content-type': 'application/json' },
      ...(impersonated !== '' && { 'impersonate-user': impersonated, 'impersonate-group': headerText(values) || 'g' })
    }
    const shown = JSON.stringify({ user, url, headers, body })
    await this.#server.inject({ method: next(3) ? 'POST' : 'GET', url, user, headers, body }).catch(() => {})
    const written = readFileSync(this.#path).subarray(this.#read)
    this.#read += written.length
    const problem = (what: string) => `audit ${this.#format}, seed ${seed}: ${what}\n${shown}\n${written}`
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(written)
    if (text.indexOf('\n') !== text.length - 1) return problem('not one line')
    const line = text.slice(0, -1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these steer terminals
    if (/[\x00-\x1f]/.test(line)) return problem('the line has control characters')
    try {
      return this.#format === 'json' ? jsonProblem() : legacyProblem()
    } catch (error) {
      return problem((error as Error).message)
    }

    function jsonProblem(): string | undefined {
      const event = JSON.parse(line)
      if (event.auditID !== decoded(id)) return problem(`another auditID: ${event.auditID}`)
      if (event.user.username !== user.name) return problem(`another user: ${event.user.username}`)
      const cut = agent.length > 1024 ? `${decoded(agent.slice(0, 1024))}...TRUNCATED` : decoded(agent)
      if ((event.userAgent ?? '') !== cut) return problem(`another user agent: ${event.userAgent}`)
      return undefined
    }

    function legacyProblem(): string | undefined {
      const begin = line.indexOf(' AUDIT: ')
      if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(line.slice(0, begin))) return problem('no time')
      const pairs = goPairs(line, begin + ' AUDIT:'.length)
      if (Object.keys(pairs).join() !== fieldsOfLine.join()) return problem(`other fields: ${Object.keys(pairs)}`)
      if (pairs.id !== decoded(id)) return problem(`another id: ${pairs.id}`)
      if (pairs.user !== user.name.toWellFormed()) return problem(`another user: ${pairs.user}`)
      return undefined
    }
  }

  async close(): Promise<void> {
    await this.#server.stop()
    rmSync(this.#folder, { recursive: true })
  }
}
