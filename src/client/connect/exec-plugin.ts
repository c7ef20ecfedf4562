/**
 * Runs the program that a kubeconfig names for credentials
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins).
 */
import { spawn } from 'node:child_process'
import type { ExecEntry } from '../../transport/kubeconfig/kubeconfig-file.js'
import type { Clock } from '../../util/clock.js'
import { UserError } from '../../util/user-error.js'
import { bearer, type ClientCertificate, type Credentials } from './credentials.js'

/** The most bytes that a plugin may print. */
const maxOutputBytes = 1024 * 1024
const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']
const interactiveModes = ['Never', 'IfAvailable', 'Always']

/** What a plugin is told with `provideClusterInfo`. */
export interface PluginCluster {
  readonly server: string
  readonly 'tls-server-name'?: string | undefined
  readonly 'insecure-skip-tls-verify'?: boolean | undefined
  readonly 'certificate-authority-data'?: string | undefined
  readonly 'proxy-url'?: string | undefined
}

export interface PluginOptions {
  /** Names the plugin in errors. */
  readonly source: string
  readonly exec: ExecEntry
  readonly cluster: PluginCluster
  /** Where a relative `command` lies, if it has a slash. */
  readonly directory: string
  readonly clock: Clock
}

interface Found {
  readonly token: string | undefined
  readonly certificate: ClientCertificate | undefined
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Runs the plugin before the first request, when its credentials expire, and after a 401. */
export class PluginCredentials implements Credentials {
  readonly #options: PluginOptions
  #found: Found | undefined
  #running: Promise<Found> | undefined

  /** Throws a UserError for an entry that is not valid. */
  constructor(options: PluginOptions) {
    const { source, exec } = options
    if (!exec.command) throw new UserError(`${source}: exec.command is missing`)
    if (!apiVersions.includes(exec.apiVersion ?? ''))
      throw new UserError(
        `${source}: exec.apiVersion must be ${apiVersions.join(' or ')}, not ${JSON.stringify(exec.apiVersion ?? '')}`
      )
    if (exec.interactiveMode && !interactiveModes.includes(exec.interactiveMode))
      throw new UserError(
        `${source}: exec.interactiveMode must be Never, IfAvailable or Always, not ${JSON.stringify(exec.interactiveMode)}`
      )
    this.#options = options
  }

  async authorization(): Promise<string | undefined> {
    const { token } = await this.#current()
    return token === undefined ? undefined : bearer(token)
  }

  async certificate(): Promise<ClientCertificate | undefined> {
    return (await this.#current()).certificate
  }

  async renew(): Promise<boolean> {
    const before = this.#found
    this.#found = undefined
    const { token, certificate } = await this.#current()
    return token !== before?.token || certificate?.cert !== before?.certificate?.cert
  }

  async #current(): Promise<Found> {
    if (this.#found && this.#options.clock.now() < this.#found.until) return this.#found
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
    return (this.#found = await this.#running)
  }

  async #run(): Promise<Found> {
    const { source, exec } = this.#options
    const { status } = credentialOf(`${source}: ${exec.command}`, await this.#output(), exec.apiVersion!)
    const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status
    if ((cert === undefined) !== (key === undefined))
      throw new UserError(`${source}: ${exec.command} printed only one of clientCertificateData and clientKeyData`)
    if (token === undefined && cert === undefined)
      throw new UserError(`${source}: ${exec.command} printed neither a token nor a client certificate`)
    const until = expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp)
    const old = this.#found?.certificate
    const isOld = old !== undefined && old.cert === cert && old.key === key
    const certificate = isOld ? old : cert === undefined ? undefined : { cert, key: key! }
    return { token, certificate, until: Number.isNaN(until) ? Number.POSITIVE_INFINITY : until }
  }

  #output(): Promise<string> {
    const { source, exec, cluster, directory } = this.#options
    const { command = '', interactiveMode = 'IfAvailable' } = exec
    const isTerminal = process.stdin.isTTY === true
    if (interactiveMode === 'Always' && !isTerminal)
      throw new UserError(`${source}: ${command} needs a terminal (interactiveMode: Always), and there is none`)
    const interactive = interactiveMode !== 'Never' && isTerminal
    const spec = { interactive, ...(exec.provideClusterInfo ? { cluster } : {}) }
    const info = { kind: 'ExecCredential', apiVersion: exec.apiVersion, spec }
    const env = { ...process.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) } as Record<string, string>
    for (const { name = '', value = '' } of exec.env ?? []) env[name] = value
    return new Promise((resolve, reject) => {
      const fail = (why: string) => {
        const hint = exec.installHint ? `\n${exec.installHint}` : ''
        reject(new UserError(`${source}: ${command}: ${why}${hint}`))
      }
      const child = spawn(command, exec.args ?? [], {
        cwd: /[/\\]/.test(command) ? directory : undefined,
        env,
        stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit']
      })
      const chunks: Buffer[] = []
      let size = 0
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxOutputBytes) child.kill()
        else chunks.push(chunk)
      })
      child.on('error', (error: NodeJS.ErrnoException) =>
        fail(error.code === 'ENOENT' ? 'the program does not exist' : error.message)
      )
      child.on('close', (code, signal) => {
        if (size > maxOutputBytes) fail(`it printed more than ${maxOutputBytes} bytes`)
        else if (code !== 0) fail(code === null ? `it was ended by ${signal}` : `it ended with the exit code ${code}`)
        else resolve(Buffer.concat(chunks).toString())
      })
    })
  }
}

interface ExecCredential {
  readonly status: {
    readonly token?: string
    readonly clientCertificateData?: string
    readonly clientKeyData?: string
    readonly expirationTimestamp?: string
  }
}

/** What a plugin printed is not shown, since it may be a secret. */
function credentialOf(plugin: string, text: string, apiVersion: string): ExecCredential {
  let value: any
  try {
    value = JSON.parse(text)
  } catch {
    throw new UserError(`${plugin} did not print JSON`)
  }
  if (value?.kind !== 'ExecCredential' || value.apiVersion !== apiVersion)
    throw new UserError(`${plugin} printed no ExecCredential of ${apiVersion}`)
  const status = value.status
  if (typeof status !== 'object' || status === null) throw new UserError(`${plugin} printed an ExecCredential without status`)
  for (const name of ['token', 'clientCertificateData', 'clientKeyData', 'expirationTimestamp'])
    if (status[name] !== undefined && typeof status[name] !== 'string')
      throw new UserError(`${plugin} printed an ExecCredential whose ${name} is no string`)
  return value
}
