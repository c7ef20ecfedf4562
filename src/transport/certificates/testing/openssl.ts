/** Asks the command openssl what it makes of certificates. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toPem } from '../issue.js'
import type { Chain } from './chains.js'

export const hasOpenssl = (): boolean => spawnSync('openssl', ['version']).status === 0

/** Whether openssl trusts a client's certificate. Its files are written to a folder in `folder`. */
export async function opensslVerdict({ roots, presented }: Chain, now: number, folder: string): Promise<boolean> {
  const own = await mkdtemp(join(folder, 'chain-'))
  const [leaf, ...others] = presented
  const write = async (name: string, ders: readonly Buffer[]) => {
    const path = join(own, name)
    await writeFile(path, ders.map(der => toPem(der)).join(''))
    return path
  }
  const options = [
    'verify',
    '-purpose',
    'sslclient',
    '-partial_chain',
    '-no-CApath',
    '-no-CAstore',
    '-attime',
    String(now / 1000)
  ]
  const trusted = ['-trusted', await write('roots', roots)]
  const untrusted = others.length === 0 ? [] : ['-untrusted', await write('others', others)]
  const verdict = await succeeds([...options, ...trusted, ...untrusted, await write('leaf', [leaf!])])
  await rm(own, { recursive: true })
  return verdict
}

/** Whether openssl can read a request and finds that it is signed with its own key. */
export const opensslAccepts = (request: Buffer): Promise<boolean> =>
  succeeds(['req', '-verify', '-noout', '-inform', 'DER'], request)

const succeeds = (options: readonly string[], input?: Buffer): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn('openssl', options, { stdio: [input ? 'pipe' : 'ignore', 'ignore', 'pipe'] })
    const errors: Buffer[] = []
    child.stderr!.on('data', (chunk: Buffer) => errors.push(chunk))
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.on('error', reject)
    // "openssl req" succeeds in spite of a wrong signature, which it only reports.
    child.on('close', code => resolve(code === 0 && !Buffer.concat(errors).includes('failure')))
  })
