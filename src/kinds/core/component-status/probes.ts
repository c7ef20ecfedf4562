/** How the components are that a control plane has beside its API server, asked at the ports that they have by default. */
import https from 'node:https'
import type { Services } from '../../../registry/services.js'
import { asGoError } from '../../../webhooks/go-errors.js'

/** Like core.v1.ComponentCondition. */
export interface Health {
  readonly type: 'Healthy'
  readonly status: 'True' | 'False'
  readonly message?: string
  readonly error?: string
}

/** A component that does not say anything for so long is ill: whoever lists the statuses waits for it. */
const timeoutMs = 2000
/** More than that nobody says about health. */
const maxAnswerBytes = 10 * 1024

export const probes: Readonly<Record<string, (services: Services) => Promise<Health>>> = {
  'controller-manager': () => askHealth(10257),
  scheduler: () => askHealth(10259),
  'etcd-0': askStore
}

async function askStore({ store }: Services): Promise<Health> {
  try {
    await store.health(timeoutMs)
    return { type: 'Healthy', status: 'True', message: 'ok' }
  } catch (error) {
    return { type: 'Healthy', status: 'False', error: error instanceof Error ? error.message : String(error) }
  }
}

const unhealthy = (message: string): Health => ({ type: 'Healthy', status: 'False', message })

export function askHealth(port: number): Promise<Health> {
  const url = `https://127.0.0.1:${port}/healthz`
  return new Promise(resolve => {
    const fail = (why: string) => resolve(unhealthy(`Get "${url}": ${why}`))
    // components make certificates for themselves
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
