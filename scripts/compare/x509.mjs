/**
 * Compares how client certificates and certificate requests are judged here and by others, over thousands of chains and requests that a seed
 * determines (except for their keys): src/transport/certificates/testing/.
 *
 *     node scripts/compare/x509.mjs [--chains 5000] [--requests 2000] [--seed 1] [--judge go|openssl] [--keep FOLDER] [--record]
 *
 * `go` is crypto/x509, which kube-apiserver calls; nothing should differ. `openssl` is the command of that name: its rules are others in part, and
 * the differences are counted by what is odd about the chain. `--keep` writes what differs to a folder. `--record` writes Go's answers to the
 * chains of the test beside authentication/x509.ts. Build first (npm run build).
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({
  options: {
    chains: { type: 'number', default: 5000 },
    requests: { type: 'number', default: 2000 },
    seed: { type: 'number', default: 1 },
    judge: { type: 'string', choices: ['go', 'openssl'], default: 'go' },
    keep: { type: 'string' },
    record: { type: 'boolean', default: false }
  }
})
const build = path => import(new URL(`../../build/${path}`, import.meta.url))
const { makeChain } = await build('transport/certificates/testing/chains.js')
const { Keyring, chainTime } = await build('transport/certificates/testing/drafts.js')
const { makeOddRequest } = await build('transport/certificates/testing/requests.js')
const { opensslVerdict, opensslAccepts } = await build('transport/certificates/testing/openssl.js')
const { generalNameTag } = await build('transport/certificates/general-names.js')
const { OID } = await build('transport/certificates/object-identifiers.js')
const { readSigningRequest, requestProblem, valuesOf } = await build('transport/certificates/signing-request.js')
const { verdictOf } = await build('auth/authentication/testing/verdict.js')
const { toPem } = await build('transport/certificates/issue.js')

const folder = mkdtempSync(join(tmpdir(), 'compare-x509-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const base64 = list => list.map(der => der.toString('base64'))

/** Asks Go's package about all items at once. */
async function askGo(questions) {
  const program = join(folder, 'judge')
  execFileSync('go', ['build', '-o', program, fileURLToPath(new URL('x509/judge.go', import.meta.url))], {
    stdio: 'inherit'
  })
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(questions.map(question => JSON.stringify(question)).join('\n'))
  const answers = Buffer.concat(await child.stdout.toArray())
    .toString()
    .trim()
    .split('\n')
  return answers.map(line => JSON.parse(line))
}

async function askOpenssl(items, ask) {
  const answers = []
  const waiting = [...items.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      answers[next[0]] = { result: (await ask(next[1])) ? 'good' : 'refused' }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return answers
}

/** Returns what is read in a request, in the form in which the judge in Go prints it. */
function requestVerdict(der) {
  let request
  try {
    request = readSigningRequest(der)
  } catch {
    return { result: 'malformed' }
  }
  if (requestProblem(request) !== undefined) return { result: 'refused', why: requestProblem(request) }
  const named = (...tags) => tags.flatMap(tag => request.names.filter(name => name.tag === tag))
  const groups = valuesOf(request, OID.organization)
  const names = [
    ...named(generalNameTag.dns, generalNameTag.email).map(({ content }) => content.toString()),
    ...named(generalNameTag.ip).map(({ content }) => content.toString('hex'))
  ]
  const user = valuesOf(request, OID.commonName).at(-1)
  return { result: 'user', ...(user ? { user } : {}), ...(groups.length ? { groups } : {}), ...(names.length ? { names } : {}) }
}

const keys = new Keyring()
const first = Number(values.seed)
const seeds = count => Array.from({ length: Number(count) }, (_, i) => first + i)
const isGo = values.judge === 'go'

async function compare(what, items, theirs, ours, keep) {
  const found = new Map()
  const results = {}
  items.forEach((item, i) => {
    const mine = ours(item)
    const { why, ...yours } = theirs[i]
    results[yours.result] = (results[yours.result] ?? 0) + 1
    const isBad = ({ result }) => result === 'refused' || result === 'malformed'
    // When something is wrong in several ways, it does not matter which error comes first.
    const same =
      isBad(mine) && isBad(yours)
        ? !isGo || mine.why === undefined || yours.result === 'malformed' || mine.why === why
        : isGo
          ? ['result', 'user', 'uid', 'groups', 'names'].every(key => JSON.stringify(mine[key]) === JSON.stringify(yours[key]))
          : isBad(mine) === isBad(yours)
    if (same) return
    const kind = item.oddities.join(' + ')
    found.set(kind, [
      ...(found.get(kind) ?? []),
      `seed ${first + i}: ${JSON.stringify(mine)}, but ${JSON.stringify({ ...yours, why })}`
    ])
    if (values.keep) {
      mkdirSync(values.keep, { recursive: true })
      writeFileSync(join(values.keep, `${what}-${first + i}.pem`), keep(item))
    }
  })
  for (const [kind, list] of [...found].sort((a, b) => b[1].length - a[1].length))
    console.log(`${list.length} × ${kind}: ${list[0]}`)
  const differences = [...found.values()].reduce((sum, list) => sum + list.length, 0)
  console.log(`${items.length} ${what}: ${JSON.stringify(results)} by ${values.judge}, ${differences} differences`)
  if (isGo && differences > 0) process.exitCode = 1
}

if (values.record) {
  const { recordedChains } = await build('auth/authentication/testing/recorded-chains.js')
  const chains = Array.from({ length: recordedChains }, (_, i) => makeChain(i, keys))
  const answers = await askGo(
    chains.map(({ roots, presented }) => ({ Roots: base64(roots), Presented: base64(presented), Now: chainTime }))
  )
  const signs = { user: '+', nobody: '0', refused: '-' }
  const text = answers.map(({ result }, i) => (chains[i].oddities.includes('a changed bit') ? '.' : signs[result])).join('')
  console.log(text.replace(/.{100}(?=.)/g, '$&\n'))
} else {
  const chains = seeds(values.chains).map(seed => makeChain(seed, keys))
  const requests = seeds(values.requests).map(seed => makeOddRequest(seed, keys))
  const theirChains = isGo
    ? await askGo(chains.map(({ roots, presented }) => ({ Roots: base64(roots), Presented: base64(presented), Now: chainTime })))
    : await askOpenssl(chains, chain => opensslVerdict(chain, chainTime, folder))
  await compare(
    'chains',
    chains,
    theirChains,
    chain => verdictOf(chain, chainTime),
    ({ presented, roots }) => [...presented, ...roots].map(der => toPem(der)).join('')
  )
  const theirRequests = isGo
    ? await askGo(requests.map(({ request }) => ({ Request: request.toString('base64') })))
    : await askOpenssl(requests, ({ request }) => opensslAccepts(request))
  await compare(
    'requests',
    requests,
    theirRequests,
    ({ request }) => requestVerdict(request),
    ({ request }) => toPem(request, 'CERTIFICATE REQUEST')
  )
}
