/** Calls a KMS v2 plugin over gRPC on a unix socket. */
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { unixTarget } from '../../../util/unix-target.js'
import { goStatusName } from '../../go-status.js'
import { TransformError } from '../transformer.js'
import {
  type DecryptRequest,
  decodeDecryptResponse,
  decodeEncryptResponse,
  decodeStatus,
  type EncryptResponse,
  encodeDecryptRequest,
  encodeEncryptRequest,
  type StatusResponse
} from './messages.js'

/** The calls to a plugin. Each rejects with a TransformError that names the status. */
export interface KmsService {
  status(): Promise<StatusResponse>
  encrypt(plaintext: Buffer, uid: string): Promise<EncryptResponse>
  decrypt(request: DecryptRequest): Promise<Buffer>
  close(): void
}

export interface KmsClientOptions {
  /** The path of the socket; `@name` for an abstract one. */
  readonly socket: string
  readonly timeoutMs: number
  /** Counts a call. */
  called(method: string, code: string, seconds: number): void
}

export class KmsClient implements KmsService {
  readonly #client: Client
  readonly #options: KmsClientOptions

  constructor(options: KmsClientOptions) {
    const { socket } = options
    this.#options = options
    this.#client = new Client(unixTarget(socket), credentials.createInsecure(), {
      'grpc.default_authority': 'localhost',
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.min_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2000,
      // keeps two servers in one process independent of each other
      'grpc.use_local_subchannel_pool': 1
    })
  }

  status(): Promise<StatusResponse> {
    return this.#call('Status', Buffer.alloc(0), decodeStatus)
  }

  encrypt(plaintext: Buffer, uid: string): Promise<EncryptResponse> {
    return this.#call('Encrypt', encodeEncryptRequest(plaintext, uid), decodeEncryptResponse)
  }

  decrypt(request: DecryptRequest): Promise<Buffer> {
    return this.#call('Decrypt', encodeDecryptRequest(request), decodeDecryptResponse)
  }

  close(): void {
    this.#client.close()
  }

  async #call<T>(name: string, request: Buffer, decode: (bytes: Buffer) => T): Promise<T> {
    const method = `/v2.KeyManagementService/${name}`
    const began = performance.now()
    const ended = (code: string) => this.#options.called(method, code, (performance.now() - began) / 1000)
    try {
      const response = await this.#unary(method, request, decode)
      ended('OK')
      return response
    } catch (error) {
      const { code, details } = error as ServiceError
      const goCode = goStatusName(code)
      ended(goCode)
      const why = code === status.DEADLINE_EXCEEDED ? 'context deadline exceeded' : details
      throw new TransformError(`rpc error: code = ${goCode} desc = ${why}`, goCode)
    }
  }

  #unary<T>(method: string, request: Buffer, decode: (bytes: Buffer) => T): Promise<T> {
    // a plugin that does not run yet has until the deadline to start
    const metadata = new Metadata({ waitForReady: true })
    const deadline = Date.now() + this.#options.timeoutMs
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest<Buffer, T>(
        method,
        bytes => bytes,
        decode,
        request,
        metadata,
        { deadline },
        (error, response) => (error ? reject(error) : resolve(response!))
      )
    })
  }
}
