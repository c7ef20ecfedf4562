/** A Binnacle as the recordings expect it, from dist/, with a folder that goes when it does. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { urlOf } from '../../scripts/shared/server-url.mjs'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Flags that some scenarios need beside the usual ones, by the name in their `server`. */
export const setups = {
  'all-gates': ['--feature-gates=AllAlpha=true,AllBeta=true', '--runtime-config=api/all=true']
}

export async function startOwnServer(
  tokensFile,
  workers = '1',
  controllers = '*,bootstrap-signer-controller,token-cleaner-controller',
  more = []
) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-conformance-'))
  const flags = [
    '--secure-port=0',
    `--data-dir=${folder}/data`,
    `--workers=${workers}`,
    `--token-auth-file=${tokensFile}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    // on in the reference, and without effect on those who are no nodes and have no bootstrap tokens
    '--enable-admission-plugins=NodeRestriction',
    '--enable-bootstrap-token-auth',
    `--controllers=${controllers}`,
    ...more
  ]
  const server = spawn(process.execPath, [main, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => server.once('exit', resolve))
  const url = await urlOf(server)
  return {
    url,
    async stop() {
      server.kill('SIGTERM')
      await ended
      fs.rmSync(folder, { recursive: true })
    }
  }
}
