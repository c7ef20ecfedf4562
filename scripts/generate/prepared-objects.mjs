#!/usr/bin/env node
// Starts a server of build/, and writes the objects that every server begins with to build/server/generated/prepared-objects.txt, with marks
// for what differs from server to server: src/server/prepared-objects.ts. Part of the build; its output is not committed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = path.join(root, 'build/server/generated/prepared-objects.txt')
rmSync(out, { force: true })
const { createServer, openMemoryStore } = await import(path.join(root, 'build/index.js'))
const { inJson, marks } = await import(path.join(root, 'build/server/prepared-objects.js'))
const { FakeClock } = await import(path.join(root, 'build/testkit/index.js'))

/** What is the same on every server. Addresses, for one, depend on options. */
const prefixes = [
  '/apiregistration.k8s.io/apiservices/',
  '/clusterrolebindings/',
  '/clusterroles/',
  '/configmaps/',
  '/flowschemas/',
  '/namespaces/',
  '/priorityclasses/',
  '/prioritylevelconfigurations/',
  '/rolebindings/',
  '/roles/',
  '/serviceaccounts/',
  '/servicecidrs/'
]
const log = { error: console.error, warn: console.error, info() {} }

/** Starts a server, waits until its controllers have nothing more to write, and returns its objects as text, by their paths. */
async function objectsOf(options) {
  const store = openMemoryStore()
  const server = createServer({ store, clock: new FakeClock(), log, ...options })
  await server.start()
  for (let seen = -1; seen !== store.seenRevision; ) {
    seen = store.seenRevision
    await new Promise(resolve => setTimeout(resolve, quietMs))
  }
  const { items } = await store.list(store.root)
  await server.stop()
  const values = new Map(items.map(({ key, value }) => [key.slice(store.root.length), value.toString()]))
  const mark = marking(values)
  const common = [...values].filter(([name]) => prefixes.some(prefix => name.startsWith(prefix)))
  return new Map(common.map(([name, text]) => [name, mark(text)]))
}

/** Milliseconds without a write after which a server has made its objects. */
const quietMs = 300

/** Returns a function that replaces what differs from server to server by marks, for the objects of one server. */
function marking(values) {
  const trust = JSON.parse(values.get('/configmaps/kube-system/extension-apiserver-authentication')).data
  return text => {
    const { uid, creationTimestamp } = JSON.parse(text).metadata
    return text
      .replace(uid, marks.uid)
      .replaceAll(creationTimestamp, marks.time)
      .replaceAll(creationTimestamp.slice(0, 10), marks.date)
      .replaceAll(inJson(trust['client-ca-file']), marks.authority)
      .replaceAll(inJson(trust['requestheader-client-ca-file']), marks.frontProxyAuthority)
  }
}

const alone = await objectsOf({ controllers: [] })
const controlled = await objectsOf({})
// the sign of an object says which servers begin with it: those with all controllers, those with other sets of them, or all (prepared-objects.ts)
const lines = [
  ...[...alone].flatMap(([name, text]) => [`${controlled.get(name) === text ? '=' : '-'}${name}`, text]),
  ...[...controlled].filter(([name, text]) => alone.get(name) !== text).flatMap(([name, text]) => [`+${name}`, text])
]
mkdirSync(path.dirname(out), { recursive: true })
writeFileSync(out, `${lines.join('\n')}\n`)
