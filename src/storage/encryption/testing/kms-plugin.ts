/** A KMS v2 plugin for tests: a gRPC server on a unix socket, with keys of its own. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { Server, ServerCredentials, type ServiceDefinition, status } from '@grpc/grpc-js'
import { Reader, wireBytes } from '../../../util/protobuf/reader.js'

export interface KmsPlugin {
  /** For the configuration: `unix:///…` */
  readonly endpoint: string
  /** The names of the calls so far. */
  readonly calls: string[]
  /** Uses a new key from now on; the former ones still decrypt. */
  rotate(keyId: string): void
  /** Makes the status something else than "ok", or "ok" again. */
  setHealth(health: string): void
  /** Makes Decrypt fail, or work again. */
  setDecrypts(decrypts: boolean): void
  /** Ends the server. The keys stay. */
  down(): Promise<void>
  up(): Promise<void>
}

const annotation = 'tests.encryption.example.com'
const gcm = 'aes-256-gcm'

export async function startKmsPlugin(socket: string, keyId = 'key-1'): Promise<KmsPlugin> {
  const keys = new Map([[keyId, keyOf(keyId)]])
  const calls: string[] = []
  let current = keyId
  let health = 'ok'
  let decrypts = true
  let server: Server | undefined
  const answers: Record<string, (request: Map<number, Buffer>) => Buffer> = {
    Status: () => message([1, 'v2'], [2, health], [3, current]),
    Encrypt(request) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(gcm, keys.get(current)!, nonce)
      const data = Buffer.concat([nonce, cipher.update(request.get(1)!), cipher.final(), cipher.getAuthTag()])
      return message([1, data], [2, current], [3, message([1, annotation], [2, 'a value'])])
    },
    Decrypt(request) {
      const key = keys.get(request.get(3)!.toString())
      if (!decrypts || !key || !request.get(4)?.includes(annotation))
        throw Object.assign(new Error('no such key'), { code: status.FAILED_PRECONDITION })
      const data = request.get(1)!
      const decipher = createDecipheriv(gcm, key, data.subarray(0, 12))
      decipher.setAuthTag(data.subarray(-16))
      return message([1, Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()])])
    }
  }
  const method = (name: string) => ({
    path: `/v2.KeyManagementService/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes
  })
  const names = Object.keys(answers)
  const service = Object.fromEntries(names.map(name => [name, method(name)])) as ServiceDefinition
  const handlers = Object.fromEntries(
    names.map(name => [
      name,
      (call: { request: Buffer }, done: (error: Error | null, answer?: Buffer) => void) => {
        calls.push(name)
        try {
          done(null, answers[name]!(fieldsOf(call.request)))
        } catch (error) {
          done(error as Error)
        }
      }
    ])
  )
  const plugin: KmsPlugin = {
    endpoint: `unix://${socket}`,
    calls,
    rotate(next) {
      keys.set(next, keyOf(next))
      current = next
    },
    setHealth(next) {
      health = next
    },
    setDecrypts(next) {
      decrypts = next
    },
    async down() {
      server?.forceShutdown()
      server = undefined
      rmSync(socket, { force: true })
    },
    async up() {
      const made = new Server()
      server = made
      made.addService(service, handlers as never)
      await new Promise<void>((resolve, reject) =>
        made.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), error => (error ? reject(error) : resolve()))
      )
    }
  }
  await plugin.up()
  return plugin
}

/** The same in each run, so that a recorded value can be decrypted. */
const keyOf = (keyId: string) => createHash('sha256').update(keyId).digest()

/** The fields of a message, all of which are bytes. */
function fieldsOf(bytes: Buffer): Map<number, Buffer> {
  const reader = new Reader(bytes)
  const fields = new Map<number, Buffer>()
  while (!reader.done) fields.set(reader.tag('request'), reader.bytes())
  return fields
}

/** Fields of at most 16383 bytes. */
function message(...fields: readonly [number, string | Buffer][]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      const bytes = Buffer.from(value as string)
      return [Buffer.from([(number << 3) | wireBytes, (bytes.length & 0x7f) | 0x80, bytes.length >> 7]), bytes]
    })
  )
}
