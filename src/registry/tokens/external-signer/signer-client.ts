/** Calls the signer over a Unix socket. It loads gRPC, so import it only when there is a signer. */
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'

class SignerError extends Error {}

export interface SignerClient {
  call<T>(method: 'Sign' | 'FetchKeys' | 'Metadata', request: Buffer, decode: (bytes: Buffer) => T): Promise<T>
  close(): void
}

/** The longest time that a call may take in milliseconds, as in kube-apiserver. */
const callMs = 60_000
const maxAnswerBytes = 4 * 1024 * 1024

export function connectToSigner(socket: string): SignerClient {
  const client = new Client(`unix:${socket}`, credentials.createInsecure(), {
    'grpc.max_receive_message_length': maxAnswerBytes,
    'grpc.use_local_subchannel_pool': 1
  })
  return {
    call: (method, request, decode) =>
      new Promise((resolve, reject) => {
        const deadline = Date.now() + callMs
        client.makeUnaryRequest(
          `/v1.ExternalJWTSigner/${method}`,
          (bytes: Buffer) => bytes,
          decode,
          request,
          new Metadata(),
          { deadline },
          (error, answer) => (error ? reject(new SignerError(goText(error))) : resolve(answer!))
        )
      }),
    close: () => client.close()
  }
}

/** Formats an error as Go's gRPC prints it. */
const goText = ({ code, details }: ServiceError): string => {
  const name = (status[code] ?? 'UNKNOWN').toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
  return `rpc error: code = ${name} desc = ${details}`
}
