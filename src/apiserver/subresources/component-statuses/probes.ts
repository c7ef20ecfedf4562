/** Asks a component of the control plane for its health. */
import https from 'node:https'
import type { ComponentCondition } from '../../../apimachinery/api/generated/core-v1.js'
import { asGoError } from '../../../transport/webhooks/go-errors.js'

/** Milliseconds until a component counts as unhealthy. It is short, because a client that lists the statuses waits. */
export const timeoutMs = 2000
/** The longest answer that is read. */
const maxAnswerBytes = 10 * 1024

const unhealthy = (message: string): ComponentCondition => ({ type: 'Healthy', status: 'False', message })

export function askHealth(port: number): Promise<ComponentCondition> {
  const url = `https://127.0.0.1:${port}/healthz`
  return new Promise(resolve => {
    const fail = (why: string) => resolve(unhealthy(`Get "${url}": ${why}`))
    // the components sign their own certificates
    const request = https.get(url, { rejectUnauthorized: false, agent: false }, response => {
      const chunks: Buffer[] = []
      let size = 0
      const done = () => {
        request.destroy()
        const code = response.statusCode ?? 0
        if (code < 200 || code >= 400) return resolve(unhealthy(`HTTP probe failed with statuscode: ${code}`))
        resolve({ type: 'Healthy', status: 'True', message: Buffer.concat(chunks).toString() })
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > maxAnswerBytes) done()
      })
      response.on('end', done)
      response.on('error', error => fail(asGoError(error)))
    })
    const timer = setTimeout(() => {
      fail('context deadline exceeded (Client.Timeout exceeded while awaiting headers)')
      request.destroy()
    }, timeoutMs)
    request.on('error', error => fail(asGoError(error)))
    request.on('close', () => clearTimeout(timer))
  })
}
